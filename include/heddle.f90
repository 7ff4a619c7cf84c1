! heddle.f90 - sums and dots of Fortran arrays with the bits of every other device and language
!
! Result    heddle_sum, heddle_dot: of real(c_float) and real(c_double) arrays of any rank in order v1
!           (docs/order.md): the same bits on any machine, with any number of threads, and those of
!           heddle_reduce and heddle_dot. heddle_exact_sum, heddle_exact_dot: the real sum, rounded once
! Use       Compile this file with your own compiler (Fortran 2018), `use heddle`, link to libheddle:
!               type(heddle_context) :: ctx
!               call heddle_open(ctx)
!               print *, heddle_sum(ctx, x)
!               call heddle_close(ctx)
! Arrays    contiguous, or the compiler makes a copy. Elements count in memory's order: column by column
! Errors    stat, where given, is a heddle_status, 0 for none, and heddle_message() tells what, where and
!           why; the function's result is then 0. Without stat a failure stops the program with it
! Threads   as heddle.h: calls on one context serialise
module heddle
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: heddle_context, heddle_open, heddle_close, heddle_message
  public :: heddle_sum, heddle_dot, heddle_exact_sum, heddle_exact_dot

  integer(c_int), parameter :: op_sum = 1, f32 = 11, f64 = 12, bad_argument = 1

  ! To be opened before its first use, and closed after the last.
  type :: heddle_context
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! heddle_options of heddle.h, all at their defaults.
  type, bind(c) :: options
    integer(c_size_t) :: bytes
    integer(c_int) :: nan = 0, acc_type = 0, out_type = 0
    type(c_ptr) :: init = c_null_ptr, custom = c_null_ptr
    integer(c_int) :: figures = 0
    real(c_double) :: divisor = 0, ddof = 0
    integer(c_int) :: exact = 0
    integer(c_int64_t) :: start = 0
    type(c_ptr) :: prefix = c_null_ptr
  end type

  interface
    integer(c_int) function c_open(device, ctx) bind(c, name="heddle_open")
      import :: c_int, c_ptr
      type(c_ptr), value :: device
      type(c_ptr), intent(out) :: ctx
    end function

    subroutine c_close(ctx) bind(c, name="heddle_close")
      import :: c_ptr
      type(c_ptr), value :: ctx
    end subroutine

    type(c_ptr) function c_message() bind(c, name="heddle_message")
      import :: c_ptr
    end function

    integer(c_int) function c_reduce(ctx, op, kind, x, count, out, how) bind(c, name="heddle_reduce")
      import :: c_int, c_ptr, c_size_t, options
      type(c_ptr), value :: ctx, x, out
      integer(c_int), value :: op, kind
      integer(c_size_t), value :: count
      type(options), intent(in) :: how
    end function

    integer(c_int) function c_dot(ctx, kind, x, y, count, out, how) bind(c, name="heddle_dot")
      import :: c_int, c_ptr, c_size_t, options
      type(c_ptr), value :: ctx, x, y, out
      integer(c_int), value :: kind
      integer(c_size_t), value :: count
      type(options), intent(in) :: how
    end function

    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

  interface heddle_sum
    module procedure sum_f32, sum_f64
  end interface
  interface heddle_exact_sum
    module procedure exact_sum_f32, exact_sum_f64
  end interface
  interface heddle_dot
    module procedure dot_f32, dot_f64
  end interface
  interface heddle_exact_dot
    module procedure exact_dot_f32, exact_dot_f64
  end interface

contains

  ! A context on a device as heddle.h names them: "cpu", "cpu:4", "cuda"; by default $HEDDLE_DEVICE, or the
  ! CPU.
  subroutine heddle_open(ctx, device, stat)
    type(heddle_context), intent(inout) :: ctx
    character(len=*), intent(in), optional :: device
    integer, intent(out), optional :: stat
    character(kind=c_char, len=:), allocatable, target :: name
    integer(c_int) :: status
    call heddle_close(ctx)
    if (present(device)) then
      name = trim(device) // c_null_char
      status = c_open(c_loc(name), ctx%handle)
    else
      status = c_open(c_null_ptr, ctx%handle)
    end if
    call report(status, "", stat)
  end subroutine

  ! Also of a context that is not open, or closed already.
  subroutine heddle_close(ctx)
    type(heddle_context), intent(inout) :: ctx
    if (c_associated(ctx%handle)) call c_close(ctx%handle)
    ctx%handle = c_null_ptr
  end subroutine

  ! What failed last in this thread: what, where, why, remedy.
  function heddle_message() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer(c_size_t) :: i
    call c_f_pointer(c_message(), letters, [c_strlen(c_message())])
    allocate(character(len=size(letters)) :: text)
    do i = 1, size(letters, kind=c_size_t)
      text(i:i) = letters(i)
    end do
  end function

  function sum_f32(ctx, x, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_float), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: stat
    real(c_float), target :: s
    s = 0
    call report(reduce(ctx, f32, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(s), 0_c_int), "", stat)
  end function

  function sum_f64(ctx, x, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_double), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: stat
    real(c_double), target :: s
    s = 0
    call report(reduce(ctx, f64, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(s), 0_c_int), "", stat)
  end function

  function exact_sum_f32(ctx, x, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_float), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: stat
    real(c_float), target :: s
    s = 0
    call report(reduce(ctx, f32, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(s), 1_c_int), "", stat)
  end function

  function exact_sum_f64(ctx, x, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_double), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: stat
    real(c_double), target :: s
    s = 0
    call report(reduce(ctx, f64, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(s), 1_c_int), "", stat)
  end function

  function dot_f32(ctx, x, y, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_float), intent(in), contiguous, target :: x(..), y(..)
    integer, intent(out), optional :: stat
    real(c_float), target :: s
    s = 0
    call products(ctx, f32, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(y), &
                  elements(shape(y, kind=c_size_t)), c_loc(s), 0_c_int, stat)
  end function

  function dot_f64(ctx, x, y, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_double), intent(in), contiguous, target :: x(..), y(..)
    integer, intent(out), optional :: stat
    real(c_double), target :: s
    s = 0
    call products(ctx, f64, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(y), &
                  elements(shape(y, kind=c_size_t)), c_loc(s), 0_c_int, stat)
  end function

  function exact_dot_f32(ctx, x, y, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_float), intent(in), contiguous, target :: x(..), y(..)
    integer, intent(out), optional :: stat
    real(c_float), target :: s
    s = 0
    call products(ctx, f32, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(y), &
                  elements(shape(y, kind=c_size_t)), c_loc(s), 1_c_int, stat)
  end function

  function exact_dot_f64(ctx, x, y, stat) result(s)
    type(heddle_context), intent(in) :: ctx
    real(c_double), intent(in), contiguous, target :: x(..), y(..)
    integer, intent(out), optional :: stat
    real(c_double), target :: s
    s = 0
    call products(ctx, f64, c_loc(x), elements(shape(x, kind=c_size_t)), c_loc(y), &
                  elements(shape(y, kind=c_size_t)), c_loc(s), 1_c_int, stat)
  end function

  ! size() of an array without elements is negative in some releases of gfortran.
  pure integer(c_size_t) function elements(extents)
    integer(c_size_t), intent(in) :: extents(:)
    elements = product(max(extents, 0_c_size_t))
  end function

  integer(c_int) function reduce(ctx, kind, x, count, out, exact)
    type(heddle_context), intent(in) :: ctx
    integer(c_int), intent(in) :: kind, exact
    type(c_ptr), intent(in) :: x, out
    integer(c_size_t), intent(in) :: count
    reduce = c_reduce(ctx%handle, op_sum, kind, x, count, out, how(exact))
  end function

  subroutine products(ctx, kind, x, x_count, y, y_count, out, exact, stat)
    type(heddle_context), intent(in) :: ctx
    integer(c_int), intent(in) :: kind, exact
    type(c_ptr), intent(in) :: x, y, out
    integer(c_size_t), intent(in) :: x_count, y_count
    integer, intent(out), optional :: stat
    if (x_count /= y_count) then
      call report(bad_argument, "heddle_dot: x and y differ in their numbers of elements", stat)
    else
      call report(c_dot(ctx%handle, kind, x, y, x_count, out, how(exact)), "", stat)
    end if
  end subroutine

  type(options) function how(exact)
    integer(c_int), intent(in) :: exact
    how%bytes = c_sizeof(how)
    how%exact = exact
  end function

  ! The end of every call. why: the message where it is not the library's.
  subroutine report(status, why, stat)
    integer(c_int), intent(in) :: status
    character(len=*), intent(in) :: why
    integer, intent(out), optional :: stat
    if (present(stat)) then
      stat = int(status)
    else if (status /= 0) then
      if (why /= "") error stop why
      error stop heddle_message()
    end if
  end subroutine
end module heddle

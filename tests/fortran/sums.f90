! sums.f90 - sums and dots of two files of numbers, as bit patterns; test_fortran.py knows what they are
!
! Use   sums FILE: f64 elements, then as many for the other operand of dots, behind a count of 64 bits
program sums
  use, intrinsic :: iso_c_binding
  use heddle
  implicit none
  type(heddle_context) :: ctx
  real(c_double), allocatable :: x(:), y(:)
  real(c_float), allocatable :: a(:), b(:)
  integer(c_int64_t) :: count
  integer :: unit, stat
  real(c_double) :: none
  character(len=1000) :: name

  call get_command_argument(1, name)
  open(newunit=unit, file=trim(name), access="stream", form="unformatted", status="old")
  read(unit) count
  allocate(x(count), y(count))
  read(unit) x, y
  a = real(x, c_float)
  b = real(y, c_float)
  call heddle_open(ctx, "cpu:2")
  call show_f32("sum", heddle_sum(ctx, a))
  call show_f64("sum", heddle_sum(ctx, x))
  call show_f32("exact_sum", heddle_exact_sum(ctx, a))
  call show_f64("exact_sum", heddle_exact_sum(ctx, x))
  call show_f32("dot", heddle_dot(ctx, a, b))
  call show_f64("dot", heddle_dot(ctx, x, y))
  call show_f32("exact_dot", heddle_exact_dot(ctx, a, b))
  call show_f64("exact_dot", heddle_exact_dot(ctx, x, y))
  call show_f64("backwards", heddle_sum(ctx, x(count:1:-1)))
  call show_f64("every_third", heddle_sum(ctx, x(1:count:3)))
  call show_f64("matrix", heddle_sum(ctx, reshape(x, [7_c_int64_t, count / 7])))

  none = heddle_dot(ctx, x, y(2:), stat)
  print "(a,1x,i0)", "lengths", stat
  call heddle_close(ctx)
  call heddle_close(ctx)
  none = heddle_sum(ctx, x, stat)
  print "(a,1x,i0,1x,a)", "closed", stat, heddle_message()
  call heddle_open(ctx, "toaster", stat)
  print "(a,1x,i0,1x,a)", "device", stat, heddle_message()
  call heddle_open(ctx)
  call heddle_close(ctx)
  print "(a,1x,f0.1)", "stops", heddle_sum(ctx, x)

contains

  subroutine show_f32(what, s)
    character(len=*), intent(in) :: what
    real(c_float), intent(in) :: s
    print "(a,1x,z8.8)", what // "_f32", transfer(s, 0_c_int32_t)
  end subroutine

  subroutine show_f64(what, s)
    character(len=*), intent(in) :: what
    real(c_double), intent(in) :: s
    print "(a,1x,z16.16)", what // "_f64", transfer(s, 0_c_int64_t)
  end subroutine
end program sums

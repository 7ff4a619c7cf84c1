# heddle.bash - completion of the heddle command for bash; install as
# bash-completion/completions/heddle
_heddle() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} options=
  # made by generate.py: commands
  local commands="sum min max mean count std var minmax mode reduce dot scan sort argsort uniq group hist hist2d ecdf box describe corr median quantile nth top select convert info bench run check profile simt cc mpi ladder"
  # end of what is made
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands help --help --version" -- "$word")
    return
  fi
  case $command:$before in
    check:--allow)
      mapfile -t COMPREPLY < <(compgen -W "same-value atomic/plain race barrier-divergence warp-mask out-of-bounds use-after-free double-free invalid-free host-pointer device-pointer null-pointer uninitialised leak misaligned unchecked-error no-progress stack-overflow bad-call constant-write assert" -- "$word")
      return ;;
    check:--leaks) mapfile -t COMPREPLY < <(compgen -W "yes note no" -- "$word"); return ;;
    check:--schedule | profile:--schedule | run:--schedule | simt:--schedule)
      mapfile -t COMPREPLY < <(compgen -W "forward reverse random:" -- "$word")
      return ;;
    check:--suppressions | check:--sarif | check:--junit | profile:--html)
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return ;;
    # made by generate.py: choices
    sum:--format | min:--format | max:--format | mean:--format | count:--format | std:--format | var:--format | minmax:--format | mode:--format | reduce:--format | dot:--format | scan:--format | sort:--format | argsort:--format | uniq:--format | hist:--format | hist2d:--format | ecdf:--format | box:--format | describe:--format | corr:--format | median:--format | quantile:--format | nth:--format | top:--format | select:--format | convert:--format) mapfile -t COMPREPLY < <(compgen -W "npy raw text" -- "$word"); return ;;
    reduce:--op) mapfile -t COMPREPLY < <(compgen -W "sum prod min max and or xor any all sum_squares argmin argmax" -- "$word"); return ;;
    scan:--op) mapfile -t COMPREPLY < <(compgen -W "sum prod min max and or xor sum_squares" -- "$word"); return ;;
    group:--format) mapfile -t COMPREPLY < <(compgen -W "text" -- "$word"); return ;;
    hist:--bins) mapfile -t COMPREPLY < <(compgen -W "auto fd sturges" -- "$word"); return ;;
    hist2d:--bins) mapfile -t COMPREPLY < <(compgen -W "" -- "$word"); return ;;
    info:--op) mapfile -t COMPREPLY < <(compgen -W "sum prod min max and or xor any all sum_squares" -- "$word"); return ;;
    *:--by | *:-S | *:--memory | *:--where | *:--offset | *:--count | *:--member | *:--tensor | *:--dataset | *:-c | *:--column | *:--na | *:--decimal | *:--thousands | *:--comment | *:--axis | *:--threads | *:--weights | *:--ddof | *:--init | *:--head | *:-k | *:--key | *:-k | *:--key | *:-k | *:--key | *:--range | *:--edges | *:--width | *:--channels | *:--plot-width | *:--title | *:--x-range | *:--y-range | *:--points | *:-S | *:--memory | *:-S | *:--memory | *:-k | *:--number | *:--where | *:--size) return ;;
    *:--tmp | *:-o | *:--output | *:--html | *:--weights | *:--svg) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    *:--type | *:--out-type | *:--type) mapfile -t COMPREPLY < <(compgen -W "u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64" -- "$word"); return ;;
    *:-d | *:--delimiter) mapfile -t COMPREPLY < <(compgen -W "tab space comma semicolon" -- "$word"); return ;;
    *:--nan) mapfile -t COMPREPLY < <(compgen -W "propagate keep skip error" -- "$word"); return ;;
    *:--acc) mapfile -t COMPREPLY < <(compgen -W "f32 f64" -- "$word"); return ;;
    *:--device) mapfile -t COMPREPLY < <(compgen -W "cpu cuda simt" -- "$word"); return ;;
    *:--progress) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word"); return ;;
    *:--method) mapfile -t COMPREPLY < <(compgen -W "linear inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased lower higher midpoint nearest" -- "$word"); return ;;
    *:--to) mapfile -t COMPREPLY < <(compgen -W "npy npz raw text csv tsv jsonl arrow arrows parquet" -- "$word"); return ;;
    *:--only) mapfile -t COMPREPLY < <(compgen -W "sum dot argmax describe hist scan" -- "$word"); return ;;
    # end of what is made
  esac
  case $command in
    # made by generate.py: options
    sum) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --acc --exact
      --out-type --axis --device --threads --json --json-lines --csv -o --output -q --quiet
      --progress --no-color -h --help --version" ;;
    min) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --acc --out-type
      --axis --device --threads --json --json-lines --csv -o --output -q --quiet --progress
      --no-color -h --help --version" ;;
    max) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --acc --out-type
      --axis --device --threads --json --json-lines --csv -o --output -q --quiet --progress
      --no-color -h --help --version" ;;
    mean) options="--by -S --memory --tmp --weights --where --type --bytes --offset --count
      --format --member --tensor --dataset --big-endian -c --column -d --delimiter --header
      --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --axis
      --device --threads --json --json-lines --csv -o --output -q --quiet --progress --no-color
      -h --help --version" ;;
    count) options="--by -S --memory --tmp --distinct --where --type --bytes --offset --count
      --format --member --tensor --dataset --big-endian -c --column -d --delimiter --header
      --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --axis
      --device --threads --json --json-lines --csv -o --output -q --quiet --progress --no-color
      -h --help --version" ;;
    std) options="--by -S --memory --tmp --ddof --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --axis --device
      --threads --json --json-lines --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    var) options="--by -S --memory --tmp --ddof --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --axis --device
      --threads --json --json-lines --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    minmax) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --device --threads
      --json --json-lines --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    mode) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --device --threads
      --json --json-lines --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    reduce) options="--op --init --by -S --memory --tmp --where --type --bytes --offset --count
      --format --member --tensor --dataset --big-endian -c --column -d --delimiter --header
      --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --acc
      --exact --out-type --axis --device --threads --json --json-lines --csv -o --output -q
      --quiet --progress --no-color -h --help --version" ;;
    dot) options="--type --bytes --offset --count --format --member --tensor --dataset
      --big-endian -c --column -d --delimiter --header --no-header --skip-bad --na --decimal
      --thousands --comment --as-is --no-map --nan --acc --exact --out-type --device --threads
      --json --csv -o --output -q --quiet --progress --no-color -h --help --version" ;;
    scan) options="--op --exclusive --init --type --bytes --offset --count --format --member
      --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header --skip-bad
      --na --decimal --thousands --comment --as-is --no-map --nan --acc --out-type --axis
      --device --threads --json --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    sort) options="-r --reverse -u --unique --head -k --key --argsort -S --memory --tmp --type
      --bytes --offset --count --format --member --tensor --dataset --big-endian -c --column -d
      --delimiter --header --no-header --skip-bad --na --decimal --thousands --comment --as-is
      --no-map --device --threads --json --csv -o --output -q --quiet --progress --no-color -h
      --help --version" ;;
    argsort) options="-r --reverse -u --unique --head -S --memory --tmp --type --bytes --offset
      --count --format --member --tensor --dataset --big-endian -c --column -d --delimiter
      --header --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map
      --device --threads --json --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    uniq) options="-S --memory --tmp -c --counts -d --repeated -u --unique -k --key
      --consecutive -n --numbers --type --bytes --offset --count --format --member --tensor
      --dataset --big-endian --delimiter --header --no-header --skip-bad --comment --as-is
      --no-map --device --threads -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    group) options="-k --key -S --memory --tmp --ddof --method --html --where --format --member
      --tensor --dataset -d --delimiter --header --no-header --skip-bad --na --decimal
      --thousands --comment --as-is --nan --exact --device --threads --json --json-lines --csv
      -o --output -q --quiet --progress --no-color -h --help --version" ;;
    hist) options="--bins --range --edges --width --log --integer --cumulative --density
      --weights --channels --ascii --svg --html --plot-width --title --where --type --bytes
      --offset --count --format --member --tensor --dataset --big-endian -c --column -d
      --delimiter --header --no-header --skip-bad --na --decimal --thousands --comment --as-is
      --no-map --exact --device --threads --json --csv -o --output -q --quiet --progress
      --no-color -h --help --version" ;;
    hist2d) options="--bins --x-range --y-range --density --ascii --svg --html --plot-width
      --title --type --bytes --offset --count --format --member --tensor --dataset --big-endian
      -c --column -d --delimiter --header --no-header --skip-bad --na --decimal --thousands
      --comment --as-is --no-map --device --threads --json --csv -o --output -q --quiet
      --progress --no-color -h --help --version" ;;
    ecdf) options="--points --ascii --svg --html --plot-width --title --where --type --bytes
      --offset --count --format --member --tensor --dataset --big-endian -c --column -d
      --delimiter --header --no-header --skip-bad --na --decimal --thousands --comment --as-is
      --no-map --device --threads --json --csv -o --output -q --quiet --progress --no-color -h
      --help --version" ;;
    box) options="--by -S --memory --tmp --ascii --svg --html --plot-width --title --where
      --type --bytes --offset --count --format --member --tensor --dataset --big-endian -c
      --column -d --delimiter --header --no-header --skip-bad --na --decimal --thousands
      --comment --as-is --no-map --device --threads --json --csv -o --output -q --quiet
      --progress --no-color -h --help --version" ;;
    describe) options="--by -S --memory --tmp --ddof --html --where --type --bytes --offset
      --count --format --member --tensor --dataset --big-endian -c --column -d --delimiter
      --header --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map
      --nan --axis --device --threads --json --json-lines --csv -o --output -q --quiet
      --progress --no-color -h --help --version" ;;
    corr) options="--where --type --bytes --offset --count --format --member --tensor --dataset
      --big-endian -c --column -d --delimiter --header --no-header --skip-bad --na --decimal
      --thousands --comment --as-is --no-map --nan --device --threads --json --csv -o --output
      -q --quiet --progress --no-color -h --help --version" ;;
    median) options="--by -S --memory --tmp --where --type --bytes --offset --count --format
      --member --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header
      --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan --device --threads
      --json --json-lines --csv -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    quantile) options="--by -S --memory --tmp --method --where --type --bytes --offset --count
      --format --member --tensor --dataset --big-endian -c --column -d --delimiter --header
      --no-header --skip-bad --na --decimal --thousands --comment --as-is --no-map --nan
      --device --threads --json --json-lines --csv -o --output -q --quiet --progress --no-color
      -h --help --version" ;;
    nth) options="-S --memory --type --bytes --offset --count --format --member --tensor
      --dataset --big-endian -c --column -d --delimiter --header --no-header --skip-bad --na
      --decimal --thousands --comment --as-is --no-map --device --threads --json --csv -o
      --output -q --quiet --progress --no-color -h --help --version" ;;
    top) options="-k --number --least --where --type --bytes --offset --count --format --member
      --tensor --dataset --big-endian -c --column -d --delimiter --header --no-header --skip-bad
      --na --decimal --thousands --comment --as-is --no-map --device --threads --json --csv -o
      --output -q --quiet --progress --no-color -h --help --version" ;;
    select) options="--where --positions --type --bytes --offset --count --format --member
      --tensor --dataset --big-endian -d --delimiter --header --no-header --skip-bad --comment
      --as-is --no-map --device --threads -o --output -q --quiet --progress --no-color -h --help
      --version" ;;
    convert) options="--to --type --bytes --offset --count --format --member --tensor --dataset
      --big-endian -c --column -d --delimiter --header --no-header --skip-bad --na --decimal
      --thousands --comment --as-is --no-map --out-type --threads -o --output -q --quiet
      --progress --no-color -h --help --version" ;;
    info) options="--plan --op --type --device --threads --json --csv -o --output -q --quiet
      --no-color -h --help --version" ;;
    bench) options="--size --only --device --threads --json --csv -o --output -q --quiet
      --no-color -h --help --version" ;;
    # end of what is made
    help)
      mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
      return ;;
    run) options="--schedule --threads --timeout --counts --keep --verbose -I -D -O -std --help
      --version" ;;
    check) options="--json --sarif --junit --output --quiet --max --status --suppress --suppressions
      --allow --leaks --sample --seed --exec --optimize --schedule --timeout --counts --verbose -I -D -std
      --help --version" ;;
    profile) options="--json --html --output --lines --gpu --registers --schedule --timeout
      --verbose -I -D -std --help --version" ;;
    simt) options="--check --json --sarif --junit --output --quiet --max --status --suppress --suppressions
      --allow --leaks --sample --seed --schedule --threads --timeout --help --version" ;;
    cc) options="-o -c -E --check --profile --keep --verbose -I -D -O -std --help --version" ;;
  esac
  if [ "${word#-}" != "$word" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _heddle heddle

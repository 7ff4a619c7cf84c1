/* commands.c - the table: what runs, and what its help says */
#include "commands.h"

#define MANY ((size_t)-1)

const struct command command_table[] = {
    {"sum", COMMAND_SUM, "[FILE...]", 1, MANY, command_reduce, "add up the elements of each file",
     "Adds up all elements. Integers wrap at 64 bits; floats fold in a fixed order, so that\n"
     "the result has the same bits on any machine, with any number of threads. One file gives\n"
     "its sum, several a line each. With --exact it is the real sum of floats, rounded once.",
     "  heddle sum data.npy\n"
     "  heddle sum --type f32 --offset 512 samples.raw\n"
     "  heddle sum -c price,weight goods.csv\n"
     "  heddle sum --axis 0 table.npy -o sums.npy\n"
     "  heddle sum --exact -c balance ledger.csv\n"},
    {"min", COMMAND_MIN, "[FILE...]", 1, MANY, command_reduce, "the least element of each file",
     "Finds the least element. NaN wins unless --nan skip.",
     "  heddle min data.npy\n"
     "  heddle min --nan skip --json data.npy\n"},
    {"max", COMMAND_MAX, "[FILE...]", 1, MANY, command_reduce, "the greatest element of each file",
     "Finds the greatest element. NaN wins unless --nan skip.",
     "  heddle max data.npy\n"
     "  heddle max --bytes /bin/sh\n"},
    {"mean", COMMAND_MEAN, "[FILE...]", 1, MANY, command_figure, "the mean of each file's elements",
     "Finds the arithmetic mean, in f64, in one pass and in a fixed order. NaN wins unless --nan\n"
     "skip.",
     "  heddle mean data.npy\n"
     "  heddle mean -c height,weight people.csv\n"
     "  heddle mean --axis 0 table.npy -o means.npy\n"},
    {"count", COMMAND_COUNT, "[FILE...]", 1, MANY, command_figure,
     "how many elements each file has",
     "Counts the elements, or with --nan skip those that are no NaN and not missing.",
     "  heddle count data.npy\n"
     "  heddle count -c price --nan skip goods.csv\n"},
    {"std", COMMAND_STD, "[FILE...]", 1, MANY, command_figure, "the standard deviation",
     "Finds the standard deviation, in f64, in one pass and in a fixed order: of the population,\n"
     "or with --ddof 1 of a sample. NaN wins unless --nan skip.",
     "  heddle std data.npy\n"
     "  heddle std --ddof 1 -c height people.csv\n"},
    {"var", COMMAND_VAR, "[FILE...]", 1, MANY, command_figure, "the variance",
     "Finds the variance, in f64, in one pass and in a fixed order: of the population, or with\n"
     "--ddof 1 of a sample. NaN wins unless --nan skip.",
     "  heddle var data.npy\n"
     "  heddle var --ddof 1 --axis 0 table.npy\n"},
    {"minmax", COMMAND_MINMAX, "[FILE...]", 1, MANY, command_minmax,
     "the least and the greatest element",
     "Finds the least and the greatest element in one pass. NaN wins unless --nan skip.",
     "  heddle minmax data.npy\n"
     "  heddle minmax -c price,weight --csv goods.csv\n"},
    {"mode", COMMAND_MODE, "[FILE...]", 1, MANY, command_mode,
     "the most frequent element, and how often it is there",
     "Finds the most frequent element, of several the least. NaN wins unless --nan skip. A\n"
     "column is held in memory.",
     "  heddle mode data.npy\n"
     "  heddle mode -c qty,price goods.csv\n"},
    {"reduce", COMMAND_REDUCE, "[FILE...]", 1, MANY, command_reduce,
     "fold each file's elements by an operator",
     "Folds all elements into one by --op. argmin and argmax give the place, counted from 0,\n"
     "and the value there.",
     "  heddle reduce --op prod factors.txt\n"
     "  heddle reduce --op argmax data.npy\n"
     "  heddle reduce --op xor --type u64 blob.raw\n"},
    {"dot", COMMAND_DOT, "FILE [FILE]", 1, 2, command_dot,
     "the sum of products of two files or columns",
     "Multiplies element by element and adds up. Takes two files of one type and length, or\n"
     "one table and two of its columns.",
     "  heddle dot x.npy y.npy\n"
     "  heddle dot -c price,amount goods.csv\n"},
    {"scan", COMMAND_SCAN, "[FILE]", 1, 1, command_scan, "running totals (prefix sums) of a file",
     "Writes for each element the total up to and including it, or with --exclusive the total\n"
     "before it, in the type of the input unless --out-type. Streams: files may be larger than\n"
     "memory.",
     "  seq 10 | heddle scan\n"
     "  heddle scan data.npy -o totals.npy\n"
     "  heddle scan --op max --axis 1 table.npy -o peaks.npy\n"},
    {"sort", COMMAND_SORT, "[FILE]", 1, 1, command_sort,
     "the elements of a file, or its lines, in order",
     "Writes the elements from the least to the greatest, or with --reverse the other way; NaN\n"
     "come last. --key sorts the whole lines of a table by columns of numbers and keeps the\n"
     "header in front; lines that are equal in all of them stay in their order. What does not\n"
     "fit the memory is sorted in parts, by way of temporary files.",
     "  heddle sort numbers.txt\n"
     "  heddle sort -k price:r,weight goods.csv -o sorted.csv\n"
     "  heddle sort -u --head 10 -c price goods.csv\n"
     "  heddle sort -S 4G --tmp /scratch data.npy -o sorted.npy\n"},
    {"argsort", COMMAND_ARGSORT, "[FILE]", 1, 1, command_sort, "the positions that sort a file",
     "Writes the positions of the elements, counted from 0, in the order of the sort: equal\n"
     "elements by position, NaN last. The same as heddle sort --argsort.",
     "  heddle argsort data.npy -o order.npy\n"
     "  heddle argsort --reverse --head 3 -c price goods.csv\n"},
    {"uniq", COMMAND_UNIQ, "[FILE]", 1, 1, command_uniq, "what is there, each once, and how often",
     "Writes each element of an array, or each line of text, once, in rising order (lines by\n"
     "their bytes), wherever its like stand in the file. -k takes the whole lines of a table, the\n"
     "first for each text of one column. What does not fit the memory goes by way of temporary\n"
     "files.",
     "  heddle uniq -c words.txt\n"
     "  heddle uniq -d data.npy -o repeated.npy\n"
     "  heddle uniq -k city goods.csv\n"
     "  heddle uniq --numbers --counts numbers.txt\n"},
    {"group", COMMAND_GROUP, "[FILE] FIGURE:COLUMN...", 1, MANY, command_group,
     "sums and other figures of the rows that have one key",
     "Groups the rows of a table by the texts of the columns --key, and finds of each group what "
     "is\n"
     "asked for: count; sum, mean, min, max, prod, sum_squares, std, var, skewness, median, p95\n"
     "(percent), q0.95 (a share) or mode of a column of numbers; first, last or distinct of any "
     "column.\n"
     "Groups come in the order of their keys: by number if all are numbers, else by bytes. The "
     "rows\n"
     "of a group fold in the order of the file. An empty field is NaN; --nan skip leaves it out.",
     "  heddle group -k product sum:price mean:amount count goods.csv\n"
     "  heddle group -k city,year median:price distinct:customer --where 'price > 0' goods.csv\n"
     "  heddle group -k 1 max:3 --exact --json data.tsv\n"
     "  sqlite3 -csv -header shop.db 'select * from sales' | heddle group -k town count\n"},
    {"hist", COMMAND_HIST, "[FILE]", 1, 1, command_hist,
     "a histogram, drawn or as JSON, CSV, .npy, SVG",
     "Counts how many elements fall into each bin: lower edge <= x < upper edge, the last bin\n"
     "with its upper edge, as numpy.histogram. What lies outside and NaN are counted apart.\n"
     "Without --range a pass over the data finds it; a pipe is kept in a temporary file then.\n"
     "With --exact each bin's sum of --weights is the real one, rounded once. Several columns of\n"
     "a table are counted in common bins, and drawn beside each other, in a picture over each "
     "other.",
     "  heddle hist data.npy\n"
     "  heddle hist -c price,cost,tax --svg prices.svg goods.csv\n"
     "  heddle hist --bytes /bin/sh --svg bytes.svg\n"
     "  heddle hist -c height --bins 20 --range 140 210 people.csv\n"
     "  find / -xdev -type f -printf '%s\\n' | heddle hist --log\n"},
    {"hist2d", COMMAND_HIST2D, "FILE [FILE]", 1, 2, command_hist2d,
     "a histogram of points, as a map, JSON, CSV, .npy, SVG",
     "Counts how many points fall into each bin of a grid, as numpy.histogram2d: two columns of\n"
     "a table, or two files of one type and length, are their coordinates. Without --x-range and\n"
     "--y-range a pass over the data finds them. What is outside or NaN is counted apart.",
     "  heddle hist2d -c height,weight people.csv\n"
     "  heddle hist2d --bins 200,100 -c lon,lat places.csv -o map.svg\n"
     "  heddle hist2d --x-range 0 1 --y-range 0 5 x.npy y.npy -o counts.npy\n"},
    {"ecdf", COMMAND_ECDF, "[FILE]", 1, 1, command_ecdf,
     "which share of the elements is at or below each value",
     "Finds the empirical distribution function of a column: a step at each value, up to the\n"
     "share of the elements at or below it. Of more elements than --points, that many ranks as\n"
     "far from each other have their exact values, and shares between them are less than 1 /\n"
     "points too low. NaN are counted apart. The file is read three times or more, and not held.",
     "  heddle ecdf latencies.txt\n"
     "  heddle ecdf -c price --svg prices.svg goods.csv\n"
     "  heddle ecdf --points 100 --csv data.npy\n"},
    {"box", COMMAND_BOX, "[FILE]", 1, 1, command_box,
     "quartiles, whiskers and outliers, as box plots",
     "Finds least, quartiles and greatest of columns, or of a column in each group of rows, and\n"
     "draws them as boxes on one axis. Whiskers go to the farthest values within 1.5 times the\n"
     "distance of the quartiles from the box; outliers beyond are counted, and the farthest "
     "drawn.\n"
     "NaN are left out. All values are held in memory.",
     "  heddle box -c price,cost goods.csv\n"
     "  heddle box -c price --by city --svg prices.svg goods.csv\n"
     "  heddle box --csv data.npy\n"},
    {"describe", COMMAND_DESCRIBE, "[FILE...]", 1, MANY, command_describe,
     "count, range, mean, spread and shape",
     "Counts the elements, NaN and infinities, and finds the least, the greatest, sum, mean,\n"
     "variance and standard deviation (of the population) and skewness, in one pass. A table is\n"
     "described whole unless columns are chosen: of each column of numbers how many are there and\n"
     "missing, mean, standard deviation, least, quartiles and greatest; of text how many distinct\n"
     "ones, and the most frequent. What is missing is left out.",
     "  heddle describe data.npy\n"
     "  heddle describe goods.csv\n"
     "  heddle describe goods.csv --html goods.html\n"
     "  heddle describe -c height,weight people.csv\n"
     "  heddle describe --axis 0 table.npy --csv\n"},
    {"corr", COMMAND_CORR, "[FILE]", 1, 1, command_corr,
     "the correlation of two columns, or of each two of several",
     "Finds Pearson's correlation of two columns of a table, from -1 to 1, in f64, in one pass "
     "and\n"
     "in a fixed order; of more than two a matrix of each with each. NaN wins unless --nan skip:\n"
     "then of each two columns the rows count that have both. That of a constant is NaN.",
     "  heddle corr -c height,weight people.csv\n"
     "  heddle corr -c 2-5 --csv people.csv\n"
     "  heddle corr -c price,qty --where 'qty > 0' --nan skip goods.csv\n"},
    {"median", COMMAND_MEDIAN, "[FILE...]", 1, MANY, command_quantile,
     "the middle element of each file",
     "Finds the middle element, or the mean of the two in the middle, without sorting. NaN wins\n"
     "unless --nan skip. What takes more than --memory is not held, but read two or three times.",
     "  heddle median data.npy\n"
     "  heddle median -c price,weight goods.csv\n"},
    {"quantile", COMMAND_QUANTILE, "SHARES [FILE...]", 1, MANY, command_quantile,
     "the values below which shares of the elements lie",
     "Finds for each of SHARES, 0 to 1, the value below which such a share of the elements\n"
     "lies, without sorting: as numpy.quantile, with its thirteen methods. NaN wins unless\n"
     "--nan skip. What takes more than --memory is not held, but read two or three times.",
     "  heddle quantile 0.5,0.99 latencies.txt\n"
     "  heddle quantile 0.25,0.5,0.75 -c price goods.csv --csv\n"
     "  heddle quantile 0.9 --method hazen --nan skip data.npy\n"},
    {"nth", COMMAND_NTH, "RANKS [FILE...]", 1, MANY, command_nth,
     "the elements that a sort would put at some ranks",
     "Finds for each of RANKS, numbers from 0 on, the element that stands there in the sorted\n"
     "file, in its own type, without sorting: 0 is the least. NaN come last. Each line has the\n"
     "rank in front. What takes more than --memory is not held, but read two or three times.",
     "  heddle nth 0 data.npy\n"
     "  heddle nth 9,99,999 -c price goods.csv\n"
     "  mpirun -n 8 heddle mpi nth 500000 data.npy\n"},
    {"top", COMMAND_TOP, "[FILE]", 1, 1, command_top, "the greatest elements of a file",
     "Writes the greatest elements from the greatest on, each with its position, counted from\n"
     "0; with --least the least. Of equal ones the first are taken; NaN come last.",
     "  heddle top data.npy\n"
     "  heddle top -k 3 -c price goods.csv\n"
     "  heddle top -k 100 --least data.npy -o least.npy\n"},
    {"select", COMMAND_SELECT, "CONDITION [FILE]", 1, 1, command_select,
     "the elements of a file, or its lines, for which a condition holds",
     "Writes the elements of an array, or the whole lines of a table, that satisfy CONDITION,\n"
     "in their order. It has == != < <= > >= with numbers, \"text\" and names of columns, 'is\n"
     "missing', &&, || and !, and parentheses; `a name` or `2` (a number) between backticks is a\n"
     "column, too. Without a column in front a comparison is of the element itself.",
     "  heddle select '> 3' data.npy -o large.npy\n"
     "  heddle select 'price > 3 && city == \"Oslo\"' goods.csv\n"
     "  heddle select --positions 'is missing' data.npy\n"
     "  heddle select 'qty >= 10' goods.csv | heddle sum -c price\n"},
    {"convert", COMMAND_CONVERT, "[FILE]", 1, 1, command_convert,
     "between .npy, raw elements and text, and types",
     "Writes the elements of a file as .npy, raw elements or text, in another type with\n"
     "--out-type: floats are rounded to nearest even, integers wrap, floats become integers by\n"
     "cutting off and staying in range.",
     "  heddle convert numbers.txt -o numbers.npy\n"
     "  heddle convert data.npy --out-type f32 -o data.raw\n"
     "  heddle convert -c 1-4 goods.csv -o goods.arrow\n"
     "  heddle convert --type i16 --big-endian tape.raw\n"},
    {"info", COMMAND_INFO, "", 0, 0, command_info, "version, processor, threads, devices",
     "Tells what this is, what it runs on, which devices are there and why others are not.\n"
     "--plan: what reduce, dot, argmin, describe, scan and histogram run there, by size.",
     "  heddle info\n"
     "  heddle info --plan --device cuda\n"
     "  heddle info --plan --op max --type i16\n"
     "  HEDDLE_ISA=avx2 heddle info --json\n"},
    {"bench", COMMAND_BENCH, "", 0, 0, command_bench,
     "the speed of each primitive, against the memory's",
     "Times each primitive on arrays in memory, after checking its result, and compares with\n"
     "the speed at which this machine reads or copies memory, measured in the same run.",
     "  heddle bench\n"
     "  heddle bench --size 32K,1M,256M --threads 1\n"
     "  heddle bench --only sum,scan --json\n"},
};
const size_t command_count = sizeof command_table / sizeof *command_table;

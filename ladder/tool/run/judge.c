/* judge.c - right, caught, needs check or wrong
 *
 * Result   a rung that should be right is right only if it says so with status 0. A planted bug
 *          must be found: status 3, with its class in the report or in the rung's own verdict.
 *          One that only a race checker finds needs check, even if this run shows it
 *          With the checker: a rung that should be right has no finding either, and a bug that
 *          the checker can know is caught if it is found in its class and on the marked lines
 * Limits   on a GPU without a checker any planted bug may pass unseen, if the rung says so
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check.h"
#include "run.h"

static int fold(char c) { return c == '-' || c == '_' ? ' ' : tolower((unsigned char)c); }

/* True if `word` occurs in `text`; case is ignored, '-' and '_' equal ' '. */
static bool same_words(const char *text, const char *word) {
  for (; *text; text++) {
    size_t i = 0;
    while (word[i] && fold(text[i]) == fold(word[i])) i++;
    if (!word[i]) return true;
  }
  return word[0] == 0;
}

/* The line of `text` around `at`, without the prefix that the device's reports have. */
static char *line_around(const char *text, const char *at) {
  while (at > text && at[-1] != '\n') at--;
  const char *prefix = "simt: ";
  if (strncmp(at, prefix, strlen(prefix)) == 0) at += strlen(prefix);
  return text_format("%.*s", (int)strcspn(at, "\n"), at);
}

/* The line of the report that names `class`; NULL if none does. */
static char *line_with(const char *text, const char *class) {
  for (const char *at = text; at && *at;) {
    char *line = line_around(at, at);
    if (same_words(line, class)) return line;
    free(line);
    at = strchr(at, '\n');
    if (at) at++;
  }
  return NULL;
}

static char *last_line(const char *text) {
  if (!text || !*text) return NULL;
  const char *end = text + strlen(text);
  while (end > text && end[-1] == '\n') end--;
  return end == text ? NULL : line_around(text, end);
}

void shorten_paths(char *text, const struct rung *rung) {
  const char *family = strstr(rung->path, rung->family);
  for (const char *next = family; next; next = strstr(next + 1, rung->family)) family = next;
  if (!family || family == rung->path) return;
  char *root = text_format("%.*s", (int)(family - rung->path), rung->path);
  const size_t length = strlen(root);
  for (char *at = strstr(text, root); at; at = strstr(at, root))
    memmove(at, at + length, strlen(at + length) + 1);
  free(root);
}

static void say(struct result *r, enum outcome outcome, char *owned) {
  r->outcome = outcome;
  free(r->says);
  r->says = owned ? owned : text_format("%s", "");
  shorten_paths(r->says, r->rung);
}

/* The last words of the program, or else of the compiler or the device. */
static char *complaint(const struct result *r) {
  const char *why = json_string(&r->json, "why", "");
  char *line;
  if (*why) return text_format("%s", why);
  if (r->job.error.data && (line = line_with(r->job.error.data, "error:"))) return line;
  if ((line = last_line(r->job.error.data))) return line;
  if ((line = last_line(r->job.out.data)) && line[0] != '{') return line;
  return text_format("exit status %d", r->job.status);
}

/* What a device's report says counts; what the program itself saw, say a wrong sum, counts where
 * it must be seen every time. */
static void judge_planted(struct result *r, bool cuda) {
  const char *verdict = json_string(&r->json, "verdict", "");
  const char *why = json_string(&r->json, "why", "");
  const bool caught = strcmp(verdict, "caught") == 0;
  const bool unsure = strcmp(verdict, "needs check") == 0;
  const bool passed = strcmp(verdict, "right") == 0 || unsure;
  char *line = r->job.error.data ? line_with(r->job.error.data, r->rung->class) : NULL;
  if (r->job.status == 3 && line) {
    say(r, OUTCOME_CAUGHT, line);
    return;
  }
  free(line);
  if (r->rung->expect == EXPECT_NEEDS_CHECK && (caught || passed))
    say(r, OUTCOME_NEEDS_CHECK, text_format("%s", *why ? why : r->rung->class));
  else if (caught && (cuda || same_words(why, r->rung->class)))
    say(r, OUTCOME_CAUGHT, text_format("%s", why));
  else if (passed && (cuda || (check_knows(r->rung->class) && (unsure || r->check.asked))))
    say(r, OUTCOME_NEEDS_CHECK, text_format("%s", *why ? why : r->rung->class));
  else if (passed)
    say(r, OUTCOME_WRONG, text_format("the planted bug was not caught: %s", r->rung->class));
  else
    say(r, OUTCOME_WRONG, complaint(r));
}

/* What the checker says decides over a verdict that was not already wrong. */
static void judge_checked(struct result *r, double limit_seconds) {
  char *disagrees;
  if (r->outcome == OUTCOME_WRONG) return;
  if (r->check.job.timed_out)
    say(r, OUTCOME_WRONG,
        text_format("ended after %g s under the checker, the limit", limit_seconds));
  else if ((disagrees = check_disagrees(r)))
    say(r, OUTCOME_WRONG, disagrees);
  else if (r->rung->expect != EXPECT_RIGHT && check_knows(r->rung->class))
    say(r, OUTCOME_CAUGHT, check_says(r));
}

static void judge_run(struct result *r, bool cuda, double limit_seconds) {
  const char *verdict = json_string(&r->json, "verdict", "");
  const int status = r->job.status;
  if (r->job.timed_out)
    say(r, OUTCOME_WRONG, text_format("ended after %g s, the limit", limit_seconds));
  else if (status > 128)
    say(r, OUTCOME_WRONG,
        text_format("ended by signal %d (%s)", status - 128, strsignal(status - 128)));
  else if (r->rung->expect != EXPECT_RIGHT)
    judge_planted(r, cuda);
  else if (status == 0 && strcmp(verdict, "right") == 0)
    say(r, OUTCOME_RIGHT, NULL);
  else
    say(r, OUTCOME_WRONG, complaint(r));
}

void judge(struct result *r, bool cuda, double limit_seconds) {
  judge_run(r, cuda, limit_seconds);
  if (r->check.asked) judge_checked(r, limit_seconds);
}

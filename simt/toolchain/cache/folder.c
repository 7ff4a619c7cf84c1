/* The place that the environment names, made and then examined (folder.h): programs are run from
 * here. */
#include "folder.h"

#include <stdlib.h>

#include "base/private_folder.h"

char *cache_folder(void) {
  char *folder = private_folder_below("SIMT_CACHE_DIR", "simt");
  if (folder && private_folder_make(folder)) return folder;
  free(folder);
  return NULL;
}

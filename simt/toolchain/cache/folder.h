/* folder.h - where what has been compiled is kept */
#ifndef SIMT_TOOLCHAIN_CACHE_FOLDER_H
#define SIMT_TOOLCHAIN_CACHE_FOLDER_H

/* cache_folder - $SIMT_CACHE_DIR, else $XDG_CACHE_HOME/simt, else ~/.cache/simt, made if need be;
 * to be freed. NULL: none that is safe to use */
char *cache_folder(void);

#endif

// Helper classes in the manner of course material: error check, still picture, animation.
#ifndef PASTE_COMMON_HPP
#define PASTE_COMMON_HPP

#include "cuda.h"
#include "cuda_runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void HandleError( cudaError_t err, const char *file, int line ) {
    if (err != cudaSuccess) {
        printf( "%s in %s at line %d\n", cudaGetErrorString( err ), file, line );
        exit( EXIT_FAILURE );
    }
}
#define HANDLE_ERROR( err ) (HandleError( err, __FILE__, __LINE__ ))

struct PixelMap {
    unsigned char    *pixels;
    int     x, y;
    void    *dataBlock;
    void (*bitmapExit)(void*);

    PixelMap( int width, int height, void *d = NULL ) {
        pixels = new unsigned char[width * height * 4];
        memset( pixels, 0, width * height * 4 );
        x = width;
        y = height;
        dataBlock = d;
    }
    ~PixelMap() { delete [] pixels; }
    unsigned char* get_ptr( void ) const   { return pixels; }
    long image_size( void ) const { return x * y * 4; }
    void display_and_exit( void(*e)(void*) = NULL ) {
        bitmapExit = e;
        long sum = 0;
        for (long i=0; i<image_size(); i++) sum += pixels[i];
        printf( "picture %d x %d, sum %ld\n", x, y, sum );
        if (dataBlock != NULL && bitmapExit != NULL) bitmapExit( dataBlock );
    }
};

struct Animation {
    unsigned char    *pixels;
    int     width, height;
    void    *dataBlock;
    void (*fAnim)(void*,int);
    void (*animExit)(void*);

    Animation( int w, int h, void *d ) : width(w), height(h), dataBlock(d) {
        pixels = (unsigned char*)malloc( w * h * 4 );
    }
    ~Animation() { free( pixels ); }
    unsigned char* get_ptr( void ) const   { return pixels; }
    long image_size( void ) const { return width * height * 4; }
    static Animation** get_self( void ) { static Animation* g; return &g; }

    void anim_and_exit( void (*f)(void*,int), void(*e)(void*), int frames ) {
        *get_self() = this;
        fAnim = f;
        animExit = e;
        for (int ticks = 0; ticks < frames; ticks++) fAnim( dataBlock, ticks );
        animExit( dataBlock );
    }
};
#endif

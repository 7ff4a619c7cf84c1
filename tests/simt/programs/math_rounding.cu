// Arithmetic in a named rounding direction: 56 intrinsics against exactly computed values.
//
// The expected bits come from rational arithmetic; each row holds the operands and the results
// of + - * / 1/b sqrt|a| fma, each to nearest, toward zero, up and down.
#include <cstdio>
#include <cstring>

struct FloatRow {
  unsigned a, b, c, results[28];
};
static const FloatRow float_rows[] = {
    {0x7f7fffffu,
     0x7f7fffffu,
     0x3f800000u,
     {0x7f800000u, 0x7f7fffffu, 0x7f800000u, 0x7f7fffffu, 0x00000000u, 0x00000000u, 0x00000000u,
      0x00000000u, 0x7f800000u, 0x7f7fffffu, 0x7f800000u, 0x7f7fffffu, 0x3f800000u, 0x3f800000u,
      0x3f800000u, 0x3f800000u, 0x00200000u, 0x00200000u, 0x00200001u, 0x00200000u, 0x5f7fffffu,
      0x5f7fffffu, 0x5f800000u, 0x5f7fffffu, 0x7f800000u, 0x7f7fffffu, 0x7f800000u, 0x7f7fffffu}},
    {0x00800000u,
     0x33800000u,
     0x00000000u,
     {0x33800000u, 0x33800000u, 0x33800001u, 0x33800000u, 0xb3800000u, 0xb37fffffu, 0xb37fffffu,
      0xb3800000u, 0x00000000u, 0x00000000u, 0x00000001u, 0x00000000u, 0x0c800000u, 0x0c800000u,
      0x0c800000u, 0x0c800000u, 0x4b800000u, 0x4b800000u, 0x4b800000u, 0x4b800000u, 0x20000000u,
      0x20000000u, 0x20000000u, 0x20000000u, 0x00000000u, 0x00000000u, 0x00000001u, 0x00000000u}},
    {0x00000001u,
     0x40400000u,
     0x00000001u,
     {0x40400000u, 0x40400000u, 0x40400001u, 0x40400000u, 0xc0400000u, 0xc03fffffu, 0xc03fffffu,
      0xc0400000u, 0x00000003u, 0x00000003u, 0x00000003u, 0x00000003u, 0x00000000u, 0x00000000u,
      0x00000001u, 0x00000000u, 0x3eaaaaabu, 0x3eaaaaaau, 0x3eaaaaabu, 0x3eaaaaaau, 0x1a3504f3u,
      0x1a3504f3u, 0x1a3504f4u, 0x1a3504f3u, 0x00000004u, 0x00000004u, 0x00000004u, 0x00000004u}},
    {0x3f800000u,
     0x21800000u,
     0xbf800000u,
     {0x3f800000u, 0x3f800000u, 0x3f800001u, 0x3f800000u, 0x3f800000u, 0x3f7fffffu, 0x3f800000u,
      0x3f7fffffu, 0x21800000u, 0x21800000u, 0x21800000u, 0x21800000u, 0x5d800000u, 0x5d800000u,
      0x5d800000u, 0x5d800000u, 0x5d800000u, 0x5d800000u, 0x5d800000u, 0x5d800000u, 0x3f800000u,
      0x3f800000u, 0x3f800000u, 0x3f800000u, 0xbf800000u, 0xbf7fffffu, 0xbf7fffffu, 0xbf800000u}},
    {0x4b7fffffu,
     0x3f800001u,
     0x3f000000u,
     {0x4b800000u, 0x4b800000u, 0x4b800001u, 0x4b800000u, 0x4b7ffffeu, 0x4b7ffffdu, 0x4b7ffffeu,
      0x4b7ffffdu, 0x4b800000u, 0x4b800000u, 0x4b800001u, 0x4b800000u, 0x4b7ffffdu, 0x4b7ffffdu,
      0x4b7ffffeu, 0x4b7ffffdu, 0x3f7ffffeu, 0x3f7ffffeu, 0x3f7fffffu, 0x3f7ffffeu, 0x457fffffu,
      0x457fffffu, 0x45800000u, 0x457fffffu, 0x4b800001u, 0x4b800000u, 0x4b800001u, 0x4b800000u}},
    {0x44679e4au,
     0xc3e75692u,
     0x433d179cu,
     {0x43e7e602u, 0x43e7e602u, 0x43e7e602u, 0x43e7e602u, 0x44ada4cau, 0x44ada4c9u, 0x44ada4cau,
      0x44ada4c9u, 0xc8d14e28u, 0xc8d14e28u, 0xc8d14e28u, 0xc8d14e29u, 0xc00027afu, 0xc00027aeu,
      0xc00027aeu, 0xc00027afu, 0xbb0da53du, 0xbb0da53cu, 0xbb0da53cu, 0xbb0da53du, 0x41f38112u,
      0x41f38112u, 0x41f38113u, 0x41f38112u, 0xc8d13685u, 0xc8d13685u, 0xc8d13685u, 0xc8d13686u}},
    {0xc5a13fffu,
     0x41c0c3c8u,
     0xbc1132bcu,
     {0xc5a07f3bu, 0xc5a07f3bu, 0xc5a07f3bu, 0xc5a07f3cu, 0xc5a200c3u, 0xc5a200c2u, 0xc5a200c2u,
      0xc5a200c3u, 0xc7f2d6a2u, 0xc7f2d6a1u, 0xc7f2d6a1u, 0xc7f2d6a2u, 0xc35625a1u, 0xc35625a1u,
      0xc35625a1u, 0xc35625a2u, 0x3d29fd54u, 0x3d29fd54u, 0x3d29fd55u, 0x3d29fd54u, 0x428faa91u,
      0x428faa90u, 0x428faa91u, 0x428faa90u, 0xc7f2d6a3u, 0xc7f2d6a3u, 0xc7f2d6a3u, 0xc7f2d6a4u}},
    {0x42186e87u,
     0xc5a76777u,
     0xbc1f8559u,
     {0xc5a6369au, 0xc5a63699u, 0xc5a63699u, 0xc5a6369au, 0x45a89854u, 0x45a89854u, 0x45a89855u,
      0x45a89854u, 0xc8475b6bu, 0xc8475b6au, 0xc8475b6au, 0xc8475b6bu, 0xbbe91a8bu, 0xbbe91a8bu,
      0xbbe91a8bu, 0xbbe91a8cu, 0xb943bdeau, 0xb943bde9u, 0xb943bde9u, 0xb943bdeau, 0x40c58a8cu,
      0x40c58a8cu, 0x40c58a8du, 0x40c58a8cu, 0xc8475b6bu, 0xc8475b6bu, 0xc8475b6bu, 0xc8475b6cu}},
    {0xbaf3ebd0u,
     0xbfe12b2bu,
     0x4347321du,
     {0xbfe16826u, 0xbfe16825u, 0xbfe16825u, 0xbfe16826u, 0x3fe0ee30u, 0x3fe0ee30u, 0x3fe0ee31u,
      0x3fe0ee30u, 0x3b568b63u, 0x3b568b63u, 0x3b568b64u, 0x3b568b63u, 0x3a8aa8fdu, 0x3a8aa8fcu,
      0x3a8aa8fdu, 0x3a8aa8fcu, 0xbf1186c8u, 0xbf1186c8u, 0xbf1186c8u, 0xbf1186c9u, 0x3d30b27du,
      0x3d30b27cu, 0x3d30b27du, 0x3d30b27cu, 0x434732f4u, 0x434732f3u, 0x434732f4u, 0x434732f3u}},
    {0xc4e18d4au,
     0x3f84e551u,
     0xbbffe246u,
     {0xc4e16c11u, 0xc4e16c10u, 0xc4e16c10u, 0xc4e16c11u, 0xc4e1ae83u, 0xc4e1ae83u, 0xc4e1ae83u,
      0xc4e1ae84u, 0xc4ea2dcau, 0xc4ea2dc9u, 0xc4ea2dc9u, 0xc4ea2dcau, 0xc4d93e26u, 0xc4d93e26u,
      0xc4d93e26u, 0xc4d93e27u, 0x3f7691b6u, 0x3f7691b5u, 0x3f7691b6u, 0x3f7691b5u, 0x4229e9e4u,
      0x4229e9e4u, 0x4229e9e5u, 0x4229e9e4u, 0xc4ea2e0au, 0xc4ea2e09u, 0xc4ea2e09u, 0xc4ea2e0au}},
    {0x3fea2726u,
     0xc4ff6665u,
     0x40353303u,
     {0xc4ff2bdbu, 0xc4ff2bdbu, 0xc4ff2bdbu, 0xc4ff2bdcu, 0x44ffa0efu, 0x44ffa0eeu, 0x44ffa0efu,
      0x44ffa0eeu, 0xc5699aa7u, 0xc5699aa6u, 0xc5699aa6u, 0xc5699aa7u, 0xba6ab3fau, 0xba6ab3f9u,
      0xba6ab3f9u, 0xba6ab3fau, 0xba004cfcu, 0xba004cfbu, 0xba004cfbu, 0xba004cfcu, 0x3fad1f7du,
      0x3fad1f7du, 0x3fad1f7eu, 0x3fad1f7du, 0xc5696d5au, 0xc5696d5au, 0xc5696d5au, 0xc5696d5bu}},
    {0x3fc20ba3u,
     0xbaf3ba60u,
     0x3d4d0136u,
     {0x3fc1ceb4u, 0x3fc1ceb4u, 0x3fc1ceb5u, 0x3fc1ceb4u, 0x3fc24892u, 0x3fc24891u, 0x3fc24892u,
      0x3fc24891u, 0xbb38be51u, 0xbb38be50u, 0xbb38be50u, 0xbb38be51u, 0xc44bd0dcu, 0xc44bd0dbu,
      0xc44bd0dbu, 0xc44bd0dcu, 0xc40671e8u, 0xc40671e7u, 0xc40671e7u, 0xc40671e8u, 0x3f9d99a6u,
      0x3f9d99a5u, 0x3f9d99a6u, 0x3f9d99a5u, 0x3d417551u, 0x3d417550u, 0x3d417551u, 0x3d417550u}},
    {0xbcc5e51au,
     0xbc58e94bu,
     0x3bd6c02cu,
     {0xbd192ce0u, 0xbd192cdfu, 0xbd192cdfu, 0xbd192ce0u, 0xbc32e0e9u, 0xbc32e0e9u, 0xbc32e0e9u,
      0xbc32e0e9u, 0x39a7ada5u, 0x39a7ada5u, 0x39a7ada6u, 0x39a7ada5u, 0x3fe98e88u, 0x3fe98e88u,
      0x3fe98e89u, 0x3fe98e88u, 0xc29710fdu, 0xc29710fcu, 0xc29710fcu, 0xc29710fdu, 0x3e1f27dfu,
      0x3e1f27deu, 0x3e1f27dfu, 0x3e1f27deu, 0x3be13b06u, 0x3be13b06u, 0x3be13b07u, 0x3be13b06u}},
    {0x41c03cb6u,
     0xc3959528u,
     0x40474c7du,
     {0xc389915du, 0xc389915cu, 0xc389915cu, 0xc389915du, 0x43a198f3u, 0x43a198f3u, 0x43a198f4u,
      0x43a198f3u, 0xc5e0a6afu, 0xc5e0a6aeu, 0xc5e0a6aeu, 0xc5e0a6afu, 0xbda48005u, 0xbda48004u,
      0xbda48004u, 0xbda48005u, 0xbb5b1017u, 0xbb5b1017u, 0xbb5b1017u, 0xbb5b1018u, 0x409cdd38u,
      0x409cdd37u, 0x409cdd38u, 0x409cdd37u, 0xc5e08dc5u, 0xc5e08dc5u, 0xc5e08dc5u, 0xc5e08dc6u}},
    {0x3f3278a8u,
     0xbff835c0u,
     0xbe89d3acu,
     {0xbf9ef96cu, 0xbf9ef96cu, 0xbf9ef96cu, 0xbf9ef96cu, 0x4028b90au, 0x4028b90au, 0x4028b90au,
      0x4028b90au, 0xbfad0a5cu, 0xbfad0a5bu, 0xbfad0a5bu, 0xbfad0a5cu, 0xbeb81297u, 0xbeb81296u,
      0xbeb81296u, 0xbeb81297u, 0xbf04046bu, 0xbf04046bu, 0xbf04046bu, 0xbf04046cu, 0x3f55bfc2u,
      0x3f55bfc1u, 0x3f55bfc2u, 0x3f55bfc1u, 0xbfcf7f47u, 0xbfcf7f46u, 0xbfcf7f46u, 0xbfcf7f47u}},
    {0x39b37cc0u,
     0xc3cc099bu,
     0xc4ae9ca1u,
     {0xc3cc0990u, 0xc3cc098fu, 0xc3cc098fu, 0xc3cc0990u, 0x43cc09a6u, 0x43cc09a6u, 0x43cc09a7u,
      0x43cc09a6u, 0xbe0f0e25u, 0xbe0f0e25u, 0xbe0f0e25u, 0xbe0f0e26u, 0xb5613293u, 0xb5613292u,
      0xb5613292u, 0xb5613293u, 0xbb209911u, 0xbb209910u, 0xbb209910u, 0xbb209911u, 0x3c9792b0u,
      0x3c9792b0u, 0x3c9792b1u, 0x3c9792b0u, 0xc4aea119u, 0xc4aea119u, 0xc4aea119u, 0xc4aea11au}},
};
struct DoubleRow {
  unsigned long long a, b, c, results[28];
};
static const DoubleRow double_rows[] = {
    {0x7fefffffffffffffull,
     0x7fefffffffffffffull,
     0x3ff0000000000000ull,
     {0x7ff0000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0x7fefffffffffffffull,
      0x0000000000000000ull, 0x0000000000000000ull, 0x0000000000000000ull, 0x0000000000000000ull,
      0x7ff0000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0x7fefffffffffffffull,
      0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3ff0000000000000ull,
      0x0004000000000000ull, 0x0004000000000000ull, 0x0004000000000001ull, 0x0004000000000000ull,
      0x5fefffffffffffffull, 0x5fefffffffffffffull, 0x5ff0000000000000ull, 0x5fefffffffffffffull,
      0x7ff0000000000000ull, 0x7fefffffffffffffull, 0x7ff0000000000000ull, 0x7fefffffffffffffull}},
    {0x0010000000000000ull,
     0x3ca0000000000000ull,
     0x0000000000000000ull,
     {0x3ca0000000000000ull, 0x3ca0000000000000ull, 0x3ca0000000000001ull, 0x3ca0000000000000ull,
      0xbca0000000000000ull, 0xbc9fffffffffffffull, 0xbc9fffffffffffffull, 0xbca0000000000000ull,
      0x0000000000000000ull, 0x0000000000000000ull, 0x0000000000000001ull, 0x0000000000000000ull,
      0x0360000000000000ull, 0x0360000000000000ull, 0x0360000000000000ull, 0x0360000000000000ull,
      0x4340000000000000ull, 0x4340000000000000ull, 0x4340000000000000ull, 0x4340000000000000ull,
      0x2000000000000000ull, 0x2000000000000000ull, 0x2000000000000000ull, 0x2000000000000000ull,
      0x0000000000000000ull, 0x0000000000000000ull, 0x0000000000000001ull, 0x0000000000000000ull}},
    {0x0000000000000001ull,
     0x4008000000000000ull,
     0x0000000000000001ull,
     {0x4008000000000000ull, 0x4008000000000000ull, 0x4008000000000001ull, 0x4008000000000000ull,
      0xc008000000000000ull, 0xc007ffffffffffffull, 0xc007ffffffffffffull, 0xc008000000000000ull,
      0x0000000000000003ull, 0x0000000000000003ull, 0x0000000000000003ull, 0x0000000000000003ull,
      0x0000000000000000ull, 0x0000000000000000ull, 0x0000000000000001ull, 0x0000000000000000ull,
      0x3fd5555555555555ull, 0x3fd5555555555555ull, 0x3fd5555555555556ull, 0x3fd5555555555555ull,
      0x1e60000000000000ull, 0x1e60000000000000ull, 0x1e60000000000000ull, 0x1e60000000000000ull,
      0x0000000000000004ull, 0x0000000000000004ull, 0x0000000000000004ull, 0x0000000000000004ull}},
    {0x3ff0000000000000ull,
     0x3870000000000000ull,
     0xbff0000000000000ull,
     {0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3ff0000000000001ull, 0x3ff0000000000000ull,
      0x3ff0000000000000ull, 0x3fefffffffffffffull, 0x3ff0000000000000ull, 0x3fefffffffffffffull,
      0x3870000000000000ull, 0x3870000000000000ull, 0x3870000000000000ull, 0x3870000000000000ull,
      0x4770000000000000ull, 0x4770000000000000ull, 0x4770000000000000ull, 0x4770000000000000ull,
      0x4770000000000000ull, 0x4770000000000000ull, 0x4770000000000000ull, 0x4770000000000000ull,
      0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3ff0000000000000ull, 0x3ff0000000000000ull,
      0xbff0000000000000ull, 0xbfefffffffffffffull, 0xbfefffffffffffffull, 0xbff0000000000000ull}},
    {0x433fffffffffffffull,
     0x3ff0000000000001ull,
     0x3fe0000000000000ull,
     {0x4340000000000000ull, 0x4340000000000000ull, 0x4340000000000001ull, 0x4340000000000000ull,
      0x433ffffffffffffeull, 0x433ffffffffffffdull, 0x433ffffffffffffeull, 0x433ffffffffffffdull,
      0x4340000000000000ull, 0x4340000000000000ull, 0x4340000000000001ull, 0x4340000000000000ull,
      0x433ffffffffffffdull, 0x433ffffffffffffdull, 0x433ffffffffffffeull, 0x433ffffffffffffdull,
      0x3feffffffffffffeull, 0x3feffffffffffffeull, 0x3fefffffffffffffull, 0x3feffffffffffffeull,
      0x4196a09e667f3bccull, 0x4196a09e667f3bccull, 0x4196a09e667f3bcdull, 0x4196a09e667f3bccull,
      0x4340000000000001ull, 0x4340000000000000ull, 0x4340000000000001ull, 0x4340000000000000ull}},
    {0xbfd048a0728a6fcfull,
     0xc03499506b52b08dull,
     0xbfcaeda8ca2a3882ull,
     {0xc034da72ed1cda4cull, 0xc034da72ed1cda4cull, 0xc034da72ed1cda4cull, 0xc034da72ed1cda4dull,
      0x4034582de98886ceull, 0x4034582de98886cdull, 0x4034582de98886ceull, 0x4034582de98886cdull,
      0x4014f6d0e5d06d27ull, 0x4014f6d0e5d06d26ull, 0x4014f6d0e5d06d27ull, 0x4014f6d0e5d06d26ull,
      0x3f894be3423d89b0ull, 0x3f894be3423d89b0ull, 0x3f894be3423d89b1ull, 0x3f894be3423d89b0ull,
      0xbfa8db1038ac686dull, 0xbfa8db1038ac686dull, 0xbfa8db1038ac686dull, 0xbfa8db1038ac686eull,
      0x3fe02427607bad51ull, 0x3fe02427607bad51ull, 0x3fe02427607bad52ull, 0x3fe02427607bad51ull,
      0x40141f639f7f1b63ull, 0x40141f639f7f1b62ull, 0x40141f639f7f1b63ull, 0x40141f639f7f1b62ull}},
    {0x409ba89f45114889ull,
     0xbf7c50d0ff769e37ull,
     0xc0993bca5fe6c00eull,
     {0x409ba89830dd08abull, 0x409ba89830dd08abull, 0x409ba89830dd08acull, 0x409ba89830dd08abull,
      0x409ba8a659458867ull, 0x409ba8a659458866ull, 0x409ba8a659458867ull, 0x409ba8a659458866ull,
      0xc02879658f754757ull, 0xc02879658f754757ull, 0xc02879658f754757ull, 0xc02879658f754758ull,
      0xc10f41ebcaedddf9ull, 0xc10f41ebcaedddf9ull, 0xc10f41ebcaedddf9ull, 0xc10f41ebcaedddfaull,
      0xc06214f40629a541ull, 0xc06214f40629a540ull, 0xc06214f40629a540ull, 0xc06214f40629a541ull,
      0x4045095f278bc511ull, 0x4045095f278bc511ull, 0x4045095f278bc512ull, 0x4045095f278bc511ull,
      0xc0996cbd2b05aa9dull, 0xc0996cbd2b05aa9cull, 0xc0996cbd2b05aa9cull, 0xc0996cbd2b05aa9dull}},
    {0xbfbfa85c0ac793f5ull,
     0x3f60879ee211c046ull,
     0xc022f6fda91bb3e6ull,
     {0xbfbf241f13b705f3ull, 0xbfbf241f13b705f2ull, 0xbfbf241f13b705f2ull, 0xbfbf241f13b705f3ull,
      0xbfc0164c80ec10fcull, 0xbfc0164c80ec10fbull, 0xbfc0164c80ec10fbull, 0xbfc0164c80ec10fcull,
      0xbf305a59789e52e1ull, 0xbf305a59789e52e0ull, 0xbf305a59789e52e0ull, 0xbf305a59789e52e1ull,
      0xc04ea49ec495ccfdull, 0xc04ea49ec495ccfdull, 0xc04ea49ec495ccfdull, 0xc04ea49ec495ccfeull,
      0x407ef973ab108c0bull, 0x407ef973ab108c0aull, 0x407ef973ab108c0bull, 0x407ef973ab108c0aull,
      0x3fd6818cc2f7c42full, 0x3fd6818cc2f7c42full, 0x3fd6818cc2f7c430ull, 0x3fd6818cc2f7c42full,
      0xc022f71e5dcea523ull, 0xc022f71e5dcea522ull, 0xc022f71e5dcea522ull, 0xc022f71e5dcea523ull}},
    {0xbfa711e89820a298ull,
     0x40233db703f8670dull,
     0x3fad015d3e8a580eull,
     {0x402326a51b60466aull, 0x402326a51b60466aull, 0x402326a51b60466bull, 0x402326a51b60466aull,
      0xc02354c8ec9087b0ull, 0xc02354c8ec9087afull, 0xc02354c8ec9087afull, 0xc02354c8ec9087b0ull,
      0xbfdbbe405df88f3dull, 0xbfdbbe405df88f3dull, 0xbfdbbe405df88f3dull, 0xbfdbbe405df88f3eull,
      0xbf732f1599aca97aull, 0xbf732f1599aca979ull, 0xbf732f1599aca979ull, 0xbf732f1599aca97aull,
      0x3fba9c1803cdd7e4ull, 0x3fba9c1803cdd7e4ull, 0x3fba9c1803cdd7e5ull, 0x3fba9c1803cdd7e4ull,
      0x3fcb2ba8e788cef9ull, 0x3fcb2ba8e788cef8ull, 0x3fcb2ba8e788cef9ull, 0x3fcb2ba8e788cef8ull,
      0xbfd81e14b627443cull, 0xbfd81e14b627443bull, 0xbfd81e14b627443bull, 0xbfd81e14b627443cull}},
    {0x3fb262e3d5157e9dull,
     0x3fb412632ecdcc0bull,
     0xc08d3baba239d4bcull,
     {0x3fc33aa381f1a554ull, 0x3fc33aa381f1a554ull, 0x3fc33aa381f1a554ull, 0x3fc33aa381f1a554ull,
      0xbf7af7f59b84d6e0ull, 0xbf7af7f59b84d6e0ull, 0xbf7af7f59b84d6e0ull, 0xbf7af7f59b84d6e0ull,
      0x3f7710be0455196dull, 0x3f7710be0455196cull, 0x3f7710be0455196dull, 0x3f7710be0455196cull,
      0x3fed5013192dcc2full, 0x3fed5013192dcc2eull, 0x3fed5013192dcc2full, 0x3fed5013192dcc2eull,
      0x40298225f7804b6cull, 0x40298225f7804b6bull, 0x40298225f7804b6cull, 0x40298225f7804b6bull,
      0x3fd126d572dc6a78ull, 0x3fd126d572dc6a77ull, 0x3fd126d572dc6a78ull, 0x3fd126d572dc6a77ull,
      0xc08d3ba019dad291ull, 0xc08d3ba019dad291ull, 0xc08d3ba019dad291ull, 0xc08d3ba019dad292ull}},
    {0xbfa84b62e6cce3acull,
     0x403e6783afdd8733ull,
     0xc014186cd409bf48ull,
     {0x403e5b5dfe6a20c1ull, 0x403e5b5dfe6a20c1ull, 0x403e5b5dfe6a20c2ull, 0x403e5b5dfe6a20c1ull,
      0xc03e73a96150eda5ull, 0xc03e73a96150eda4ull, 0xc03e73a96150eda4ull, 0xc03e73a96150eda5ull,
      0xbff7154358d84debull, 0xbff7154358d84deaull, 0xbff7154358d84deaull, 0xbff7154358d84debull,
      0xbf5991c8fe6b9b73ull, 0xbf5991c8fe6b9b73ull, 0xbf5991c8fe6b9b73ull, 0xbf5991c8fe6b9b74ull,
      0x3fa0d6f62def2695ull, 0x3fa0d6f62def2695ull, 0x3fa0d6f62def2696ull, 0x3fa0d6f62def2695ull,
      0x3fcbe1df29c56fe4ull, 0x3fcbe1df29c56fe3ull, 0x3fcbe1df29c56fe4ull, 0x3fcbe1df29c56fe3ull,
      0xc019ddbdaa3fd2c3ull, 0xc019ddbdaa3fd2c2ull, 0xc019ddbdaa3fd2c2ull, 0xc019ddbdaa3fd2c3ull}},
    {0x3f5bea80d4a9e658ull,
     0x4037acad3d0840fbull,
     0x40aa5be56bba8d21ull,
     {0x4037ad1ce70b93a3ull, 0x4037ad1ce70b93a2ull, 0x4037ad1ce70b93a3ull, 0x4037ad1ce70b93a2ull,
      0xc037ac3d9304ee53ull, 0xc037ac3d9304ee53ull, 0xc037ac3d9304ee53ull, 0xc037ac3d9304ee54ull,
      0x3fa4a7302e57e561ull, 0x3fa4a7302e57e561ull, 0x3fa4a7302e57e562ull, 0x3fa4a7302e57e561ull,
      0x3f12ddd62184bb3cull, 0x3f12ddd62184bb3bull, 0x3f12ddd62184bb3cull, 0x3f12ddd62184bb3bull,
      0x3fa5a06aaf65b476ull, 0x3fa5a06aaf65b475ull, 0x3fa5a06aaf65b476ull, 0x3fa5a06aaf65b475ull,
      0x3fa5225e195d36dbull, 0x3fa5225e195d36dbull, 0x3fa5225e195d36dcull, 0x3fa5225e195d36dbull,
      0x40aa5bfa12eabb79ull, 0x40aa5bfa12eabb78ull, 0x40aa5bfa12eabb79ull, 0x40aa5bfa12eabb78ull}},
    {0xbfc0a4724b1e943full,
     0xc04d3c14816f0c24ull,
     0xbfbb2fed1ef1d524ull,
     {0xc04d4cb8f3ba2ab8ull, 0xc04d4cb8f3ba2ab8ull, 0xc04d4cb8f3ba2ab8ull, 0xc04d4cb8f3ba2ab9ull,
      0x404d2b700f23ed90ull, 0x404d2b700f23ed8full, 0x404d2b700f23ed90ull, 0x404d2b700f23ed8full,
      0x401e688d28f1583cull, 0x401e688d28f1583bull, 0x401e688d28f1583cull, 0x401e688d28f1583bull,
      0x3f623771493d7f2dull, 0x3f623771493d7f2cull, 0x3f623771493d7f2dull, 0x3f623771493d7f2cull,
      0xbf918370e9297e96ull, 0xbf918370e9297e96ull, 0xbf918370e9297e96ull, 0xbf918370e9297e97ull,
      0x3fd713c1757061bdull, 0x3fd713c1757061bdull, 0x3fd713c1757061beull, 0x3fd713c1757061bdull,
      0x401dfbcd747590e7ull, 0x401dfbcd747590e7ull, 0x401dfbcd747590e8ull, 0x401dfbcd747590e7ull}},
    {0x40313a7823683202ull,
     0xbf4ef403fc2a9090ull,
     0xc0679a2c905d4ec2ull,
     {0x40313a3a3b6039adull, 0x40313a3a3b6039acull, 0x40313a3a3b6039adull, 0x40313a3a3b6039acull,
      0x40313ab60b702a57ull, 0x40313ab60b702a57ull, 0x40313ab60b702a58ull, 0x40313ab60b702a57ull,
      0xbf90aa309a7e495aull, 0xbf90aa309a7e495aull, 0xbf90aa309a7e495aull, 0xbf90aa309a7e495bull,
      0xc0d1cfa0ce566f3bull, 0xc0d1cfa0ce566f3bull, 0xc0d1cfa0ce566f3bull, 0xc0d1cfa0ce566f3cull,
      0xc0908a86138e55d6ull, 0xc0908a86138e55d5ull, 0xc0908a86138e55d5ull, 0xc0908a86138e55d6ull,
      0x40109a53ca5cf397ull, 0x40109a53ca5cf396ull, 0x40109a53ca5cf397ull, 0x40109a53ca5cf396ull,
      0xc0679ab1e1e222b4ull, 0xc0679ab1e1e222b4ull, 0xc0679ab1e1e222b4ull, 0xc0679ab1e1e222b5ull}},
    {0x3fa72d622f33ce52ull,
     0xc0652e87f6033beaull,
     0x3f31f61970216fd0ull,
     {0xc0652d151fe048adull, 0xc0652d151fe048adull, 0xc0652d151fe048adull, 0xc0652d151fe048aeull,
      0x40652ffacc262f27ull, 0x40652ffacc262f26ull, 0x40652ffacc262f27ull, 0x40652ffacc262f26ull,
      0xc01eaef84b8696e4ull, 0xc01eaef84b8696e4ull, 0xc01eaef84b8696e4ull, 0xc01eaef84b8696e5ull,
      0xbf3181e1876d06b3ull, 0xbf3181e1876d06b3ull, 0xbf3181e1876d06b3ull, 0xbf3181e1876d06b4ull,
      0xbf782bf70276cd0cull, 0xbf782bf70276cd0cull, 0xbf782bf70276cd0cull, 0xbf782bf70276cd0dull,
      0x3fcb3bd1fd52c73cull, 0x3fcb3bd1fd52c73bull, 0x3fcb3bd1fd52c73cull, 0x3fcb3bd1fd52c73bull,
      0xc01eaeb07320d65full, 0xc01eaeb07320d65eull, 0xc01eaeb07320d65eull, 0xc01eaeb07320d65full}},
    {0xbff6e0d3d2075df6ull,
     0x3f9325de05713dc7ull,
     0x4007603d1138a4e5ull,
     {0xbff6943c59f198ffull, 0xbff6943c59f198feull, 0xbff6943c59f198feull, 0xbff6943c59f198ffull,
      0xbff72d6b4a1d22edull, 0xbff72d6b4a1d22edull, 0xbff72d6b4a1d22edull, 0xbff72d6b4a1d22eeull,
      0xbf9b6120ea81a123ull, 0xbf9b6120ea81a122ull, 0xbf9b6120ea81a122ull, 0xbf9b6120ea81a123ull,
      0xc0531df6f31cb25eull, 0xc0531df6f31cb25dull, 0xc0531df6f31cb25dull, 0xc0531df6f31cb25eull,
      0x404abd3c162aa7d6ull, 0x404abd3c162aa7d6ull, 0x404abd3c162aa7d7ull, 0x404abd3c162aa7d6ull,
      0x3ff321ea13d2fad4ull, 0x3ff321ea13d2fad4ull, 0x3ff321ea13d2fad5ull, 0x3ff321ea13d2fad4ull,
      0x4007297acf63a1a3ull, 0x4007297acf63a1a2ull, 0x4007297acf63a1a3ull, 0x4007297acf63a1a2ull}},
};
__device__ void all(float a, float b, float c, float *r) {
  r[0] = __fadd_rn(a, b);
  r[1] = __fadd_rz(a, b);
  r[2] = __fadd_ru(a, b);
  r[3] = __fadd_rd(a, b);
  r[4] = __fsub_rn(a, b);
  r[5] = __fsub_rz(a, b);
  r[6] = __fsub_ru(a, b);
  r[7] = __fsub_rd(a, b);
  r[8] = __fmul_rn(a, b);
  r[9] = __fmul_rz(a, b);
  r[10] = __fmul_ru(a, b);
  r[11] = __fmul_rd(a, b);
  r[12] = __fdiv_rn(a, b);
  r[13] = __fdiv_rz(a, b);
  r[14] = __fdiv_ru(a, b);
  r[15] = __fdiv_rd(a, b);
  r[16] = __frcp_rn(b);
  r[17] = __frcp_rz(b);
  r[18] = __frcp_ru(b);
  r[19] = __frcp_rd(b);
  r[20] = __fsqrt_rn(a < 0 ? -a : a);
  r[21] = __fsqrt_rz(a < 0 ? -a : a);
  r[22] = __fsqrt_ru(a < 0 ? -a : a);
  r[23] = __fsqrt_rd(a < 0 ? -a : a);
  r[24] = __fmaf_rn(a, b, c);
  r[25] = __fmaf_rz(a, b, c);
  r[26] = __fmaf_ru(a, b, c);
  r[27] = __fmaf_rd(a, b, c);
}
__device__ void all(double a, double b, double c, double *r) {
  r[0] = __dadd_rn(a, b);
  r[1] = __dadd_rz(a, b);
  r[2] = __dadd_ru(a, b);
  r[3] = __dadd_rd(a, b);
  r[4] = __dsub_rn(a, b);
  r[5] = __dsub_rz(a, b);
  r[6] = __dsub_ru(a, b);
  r[7] = __dsub_rd(a, b);
  r[8] = __dmul_rn(a, b);
  r[9] = __dmul_rz(a, b);
  r[10] = __dmul_ru(a, b);
  r[11] = __dmul_rd(a, b);
  r[12] = __ddiv_rn(a, b);
  r[13] = __ddiv_rz(a, b);
  r[14] = __ddiv_ru(a, b);
  r[15] = __ddiv_rd(a, b);
  r[16] = __drcp_rn(b);
  r[17] = __drcp_rz(b);
  r[18] = __drcp_ru(b);
  r[19] = __drcp_rd(b);
  r[20] = __dsqrt_rn(a < 0 ? -a : a);
  r[21] = __dsqrt_rz(a < 0 ? -a : a);
  r[22] = __dsqrt_ru(a < 0 ? -a : a);
  r[23] = __dsqrt_rd(a < 0 ? -a : a);
  r[24] = __fma_rn(a, b, c);
  r[25] = __fma_rz(a, b, c);
  r[26] = __fma_ru(a, b, c);
  r[27] = __fma_rd(a, b, c);
}

template <class T> __global__ void evaluate(const T *in, T *out) {
  const int i = threadIdx.x;
  all(in[3 * i], in[3 * i + 1], in[3 * i + 2], out + 28 * i);
}

// Bits are the same, or both are zeros.
template <class T, class Row> int check(const Row *rows, int count) {
  T in[64 * 3], out[64 * 28];
  for (int i = 0; i < count; ++i) memcpy(in + 3 * i, &rows[i].a, 3 * sizeof(T));
  T *device_in, *device_out;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  evaluate<<<1, count>>>(device_in, device_out);
  if (cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int bad = 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 28; ++k) {
      T want;
      memcpy(&want, &rows[i].results[k], sizeof want);
      if (out[28 * i + k] == want) continue;
      if (++bad < 10) printf("row %d, result %d: %a, not %a\n", i, k, out[28 * i + k], want);
    }
  cudaFree(device_in);
  cudaFree(device_out);
  return bad;
}

int main() {
  int bad = check<float>(float_rows, sizeof float_rows / sizeof float_rows[0]);
  bad += check<double>(double_rows, sizeof double_rows / sizeof double_rows[0]);
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}

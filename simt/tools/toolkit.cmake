# The folder that builds take for a CUDA toolkit: bin/nvcc, include/, lib64/, beside libsimt.so.
#
# TOOLKIT the folder, LIBRARY where libsimt.so will be when programs are linked, DRIVER from bin/ to
# heddle-nvcc. The libraries are linker scripts: they name libsimt.so by its path, so that a program
# which a build's own compiler links finds it without an rpath.
file(MAKE_DIRECTORY ${TOOLKIT}/bin ${TOOLKIT}/lib64 ${TOOLKIT}/nvvm/libdevice
     ${TOOLKIT}/targets/x86_64-linux)
file(CREATE_LINK ${DRIVER} ${TOOLKIT}/bin/nvcc SYMBOLIC)
file(CREATE_LINK ../include ${TOOLKIT}/include SYMBOLIC)
file(CREATE_LINK ../../include ${TOOLKIT}/targets/x86_64-linux/include SYMBOLIC)
file(CREATE_LINK ../../lib64 ${TOOLKIT}/targets/x86_64-linux/lib SYMBOLIC)
foreach(name IN ITEMS libcudart.so libcudart_static.a libcudadevrt.a libcurand.so libcurand_static.a
                      libculibos.a)
  file(WRITE ${TOOLKIT}/lib64/${name} "/* simt has all of it in one library. */\nINPUT(${LIBRARY})\n")
endforeach()
file(WRITE ${TOOLKIT}/version.json
     "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"13.0.88\"},\n"
     " \"cuda_nvcc\": {\"name\": \"CUDA NVCC\", \"version\": \"13.0.88\"},\n"
     " \"cuda_cudart\": {\"name\": \"CUDA Runtime (cudart)\", \"version\": \"13.0.88\"}}\n")
file(WRITE ${TOOLKIT}/version.txt "CUDA Version 13.0.88\n")

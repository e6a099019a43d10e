// The instruction set this compilation of the kernels is for. Tools/build-kernels sets the condition; the package
// itself sets none, because SwiftPM has no way to pass processor flags that a version-pinned user could accept.
#if SWIFTLET_AVX512
  typealias SelectedISA = AVX512
#elseif SWIFTLET_NEON
  typealias SelectedISA = NEON
#elseif SWIFTLET_AVX2
  typealias SelectedISA = AVX2
#else
  typealias SelectedISA = Portable
#endif

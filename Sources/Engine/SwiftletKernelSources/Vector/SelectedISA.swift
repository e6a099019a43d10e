// The instruction set of this compilation of the kernels. Tools/build-kernels sets the condition. The package itself
// doesn't, because SwiftPM has no way to pass CPU flags in a package that is used by version.
#if SWIFTLET_AVX512
  typealias SelectedISA = AVX512
#elseif SWIFTLET_NEON
  typealias SelectedISA = NEON
#elseif SWIFTLET_AVX2
  typealias SelectedISA = AVX2
#else
  typealias SelectedISA = Portable
#endif

// Re-exports the platform's C library. Only this file depends on the library's module name.
//
// Callers use the C math functions directly. Wrappers would have to be public to be inlined in other modules, and the
// names `expf` and `exp` show the precision of the reference computation.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#elseif canImport(Darwin)
  @_exported import Darwin
#else
  #error("Swiftlet does not know the C library of this platform; add it to CLibrary.swift")
#endif

// The platform's C library under one name: only this file knows what it is called where the package is compiled.
//
// Its mathematics is called by its own names, without wrappers: they would have to be public to be inlined elsewhere,
// and `expf` next to `exp` says in which precision the reference computes.
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

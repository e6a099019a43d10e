#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

// The C library's functions, in one place so that nothing else has to choose a platform module.

func cosineOf(_ angle: Float) -> Float { cos(angle) }
func sineOf(_ angle: Float) -> Float { sin(angle) }
func cosineOf(_ angle: Double) -> Double { cos(angle) }
func sineOf(_ angle: Double) -> Double { sin(angle) }

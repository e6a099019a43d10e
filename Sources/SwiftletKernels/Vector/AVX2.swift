#if SWIFTLET_AVX2
  import _Builtin_intrinsics.intel

  /// x86-64-v3: AVX2 and fused multiply-add, 16 registers of 256 bits.
  enum AVX2: VectorISA {
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>

    @inline(always) static var tileRows: Int { 6 }

    @inline(always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { c.addingProduct(a, b) }
    @inline(always) static func maximum(_ a: F, _ b: F) -> F { _mm256_max_ps(a, b) }
    @inline(always) static func minimum(_ a: F, _ b: F) -> F { _mm256_min_ps(a, b) }

    @inline(always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      _mm256_maskstore_ps(pointer.assumingMemoryBound(to: Float.self), firstLanes(count), x)
    }

    /// All bits set in the first `count` lanes.
    @inline(always) private static func firstLanes(_ count: Int) -> SIMD4<Int64> {
      let beyond = I(0, 1, 2, 3, 4, 5, 6, 7) &- I(repeating: Int32(truncatingIfNeeded: count))
      return unsafeBitCast(beyond &>> 31, to: SIMD4<Int64>.self)
    }
  }
#endif

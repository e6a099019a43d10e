#if SWIFTLET_AVX512
  import _Builtin_intrinsics.intel

  /// x86-64-v4 with VNNI: 32 registers of 512 bits.
  enum AVX512: VectorISA {
    typealias F = SIMD16<Float>
    typealias I = SIMD16<Int32>

    @inline(always) static var tileRows: Int { 6 }

    @inline(always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { c.addingProduct(a, b) }
    @inline(always) static func maximum(_ a: F, _ b: F) -> F { _mm512_max_ps(a, b) }
    @inline(always) static func minimum(_ a: F, _ b: F) -> F { _mm512_min_ps(a, b) }

    @inline(always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_storeu_ps(pointer, firstLanes(count), x)
    }

    @inline(always) private static func firstLanes(_ count: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: (1 &<< count) &- 1)
    }
  }
#endif

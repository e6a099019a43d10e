#if SWIFTLET_AVX512
  import _Builtin_intrinsics.intel

  extension AVX512: TransposingISA {
    private typealias Words = SIMD8<Int64>

    @inline(__always) static func joined(_ quad: (Int) -> SIMD4<Int32>) -> (I, I, I, I) {
      @inline(__always) func words(_ index: Int) -> SIMD2<Int64> {
        unsafeBitCast(quad(index), to: SIMD2<Int64>.self)
      }
      @inline(__always) func vector(_ first: Int) -> I {
        var x = _mm512_broadcast_i32x4(words(first))
        x = _mm512_mask_broadcast_i32x4(x, 0x00F0, words(first &+ 4))
        x = _mm512_mask_broadcast_i32x4(x, 0x0F00, words(first &+ 8))
        x = _mm512_mask_broadcast_i32x4(x, 0xF000, words(first &+ 12))
        return ints(x)
      }
      return (vector(0), vector(1), vector(2), vector(3))
    }
    @inline(__always) static func transposedWords(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      let (a, b, c, d) = (words(a), words(b), words(c), words(d))
      let lowAB = _mm512_unpacklo_epi32(a, b), highAB = _mm512_unpackhi_epi32(a, b)
      let lowCD = _mm512_unpacklo_epi32(c, d), highCD = _mm512_unpackhi_epi32(c, d)
      return (
        ints(_mm512_unpacklo_epi64(lowAB, lowCD)), ints(_mm512_unpackhi_epi64(lowAB, lowCD)),
        ints(_mm512_unpacklo_epi64(highAB, highCD)), ints(_mm512_unpackhi_epi64(highAB, highCD))
      )
    }
    @inline(__always) static func transposedBytes(_ x: I) -> I {
      let square = SIMD4<Int32>(0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703)
      let half = SIMD8(lowHalf: square, highHalf: square)
      return ints(_mm512_shuffle_epi8(words(x), words(I(lowHalf: half, highHalf: half))))
    }
    @inline(__always) static func forEachQuad(_ x: I, _ body: (SIMD4<Int32>, Int) -> Void) {
      body(x.lowHalf.lowHalf, 0)
      body(x.lowHalf.highHalf, 1)
      body(x.highHalf.lowHalf, 2)
      body(x.highHalf.highHalf, 3)
    }
    @inline(__always) static func loadFirstBytesOfQuad(_ count: Int, _ pointer: UnsafeRawPointer) -> SIMD4<Int32> {
      unsafeBitCast(_mm_maskz_loadu_epi8(first(count), pointer), to: SIMD4<Int32>.self)
    }
    @inline(__always) static func storeFirstWords(
      _ count: Int, _ quad: SIMD4<Int32>, _ pointer: UnsafeMutableRawPointer
    ) {
      _mm_mask_storeu_epi32(
        pointer, UInt8(truncatingIfNeeded: first(count)), unsafeBitCast(quad, to: SIMD2<Int64>.self))
    }
    @inline(__always) static func storeFirstBytes(
      _ count: Int, _ quad: SIMD4<Int32>, _ pointer: UnsafeMutableRawPointer
    ) {
      _mm_mask_storeu_epi8(pointer, first(count), unsafeBitCast(quad, to: SIMD2<Int64>.self))
    }

    @inline(__always) private static func first(_ count: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: (1 &<< count) &- 1)
    }
    @inline(__always) private static func words(_ x: I) -> Words { unsafeBitCast(x, to: Words.self) }
    @inline(__always) private static func ints(_ x: Words) -> I { unsafeBitCast(x, to: I.self) }
  }
#endif

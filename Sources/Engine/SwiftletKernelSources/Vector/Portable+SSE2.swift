#if arch(x86_64)
  import _Builtin_intrinsics.intel

  /// Operations with SSE2, which every x86-64 CPU has.
  extension Portable {
    @inline(__always) static func maximum(_ a: F, _ b: F) -> F { _mm_max_ps(a, b) }
    @inline(__always) static func minimum(_ a: F, _ b: F) -> F { _mm_min_ps(a, b) }
    @inline(__always) static func squareRoot(_ x: F) -> F { _mm_sqrt_ps(x) }
    @inline(__always) static func toFloat(_ x: I) -> F { _mm_cvtepi32_ps(words(x)) }
    @inline(__always) static func toInt(_ x: F) -> I { unsafeBitCast(_mm_cvtps_epi32(x), to: I.self) }
    @inline(__always) static func toIntTruncating(_ x: F) -> I { unsafeBitCast(_mm_cvttps_epi32(x), to: I.self) }

    /// As on AVX2: bytes 0 and 2, and bytes 1 and 3, of each lane as 16-bit values for `pmaddwd`.
    struct SplitBytes {
      let even: I
      let odd: I
    }

    @inline(__always) static func inputBytes(_ x: I, flip: I) -> SplitBytes {
      let mask = I(repeating: 0x00FF_00FF), x = x ^ flip
      return SplitBytes(even: x & mask, odd: (x &>> 8) & mask)
    }

    @inline(__always) static func weightBytes(_ x: I) -> SplitBytes {
      let halves = unsafeBitCast(x, to: SIMD8<Int16>.self)
      return SplitBytes(
        even: unsafeBitCast((halves &<< 8) &>> 8, to: I.self), odd: unsafeBitCast(halves &>> 8, to: I.self))
    }

    @inline(__always) static func dot(_ sum: I, _ input: SplitBytes, _ weights: SplitBytes) -> I {
      func products(_ a: I, _ b: I) -> I {
        unsafeBitCast(
          _mm_madd_epi16(unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)), to: I.self)
      }
      return sum &+ products(input.even, weights.even) &+ products(input.odd, weights.odd)
    }

    @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I { ints(_mm_max_epu8(words(a), words(b))) }
    @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I { ints(_mm_min_epu8(words(a), words(b))) }

    @inline(__always) static func maximumInt16(_ a: I, _ b: I) -> I { ints(_mm_max_epi16(words(a), words(b))) }
    @inline(__always) static func minimumInt16(_ a: I, _ b: I) -> I { ints(_mm_min_epi16(words(a), words(b))) }

    @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
      let bytes = SIMD2(Int64(pointer.loadUnaligned(as: UInt32.self)), 0)
      return ints(_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, SIMD2()), SIMD2()))
    }

    @inline(__always) static func saturatedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      let bytes = unsafeBitCast(
        saturatedRow(a0, a1, b0, b1, zeroPoint: zeroPoint, lower: lower, upper: upper, flip: flip), to: Bytes.self)
      return (bytes.lowHalf, bytes.highHalf)
    }
    /// SSE2 has no minimum and maximum of signed bytes, only of unsigned bytes, which are 128 higher.
    @inline(__always) static func saturatedRow(
      _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> I {
      let sign = I(repeating: Int32(bitPattern: 0x8080_8080)), zero = words(zeroPoint)
      let ab = _mm_adds_epi16(_mm_packs_epi32(words(a), words(b)), zero)
      let cd = _mm_adds_epi16(_mm_packs_epi32(words(c), words(d)), zero)
      let bytes = ints(_mm_packs_epi16(ab, cd)) ^ sign
      return minimumBytes(maximumBytes(bytes, lower ^ sign), upper ^ sign) ^ (sign ^ flip)
    }
    @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      let (a, b, c, d) = (words(a), words(b), words(c), words(d))
      let lowAB = _mm_unpacklo_epi8(a, b), highAB = _mm_unpackhi_epi8(a, b)
      let lowCD = _mm_unpacklo_epi8(c, d), highCD = _mm_unpackhi_epi8(c, d)
      return (
        ints(_mm_unpacklo_epi16(lowAB, lowCD)), ints(_mm_unpackhi_epi16(lowAB, lowCD)),
        ints(_mm_unpacklo_epi16(highAB, highCD)), ints(_mm_unpackhi_epi16(highAB, highCD))
      )
    }

    /// Returns the rounded results of `scaledSums` for half of the lanes.
    @inline(__always) private static func scaledHalf(
      _ high: SIMD2<Int64>, _ low: SIMD2<Int64>, _ terms: UnsafeRawPointer, _ factors: UnsafeRawPointer,
      _ roundsUp: Bool
    ) -> SIMD2<Int64> {
      let term = terms.loadUnaligned(as: SIMD2<Double>.self), factor = factors.loadUnaligned(as: SIMD2<Double>.self)
      let sum = _mm_cvtepi32_pd(high) * SIMD2<Double>(repeating: 256) + (_mm_cvtepi32_pd(low) + term)
      let limit = SIMD2<Double>(repeating: 0x1p20)
      let x = _mm_min_pd(_mm_max_pd(sum * factor, SIMD2<Double>(repeating: -0x1p20)), limit)
      if roundsUp {
        // Truncation rounds positive values down.
        let shifted = unsafeBitCast(_mm_cvttpd_epi32(x + SIMD2<Double>(repeating: 0x1p21 + 0.5)), to: SIMD4<Int32>.self)
        return unsafeBitCast(shifted &- SIMD4<Int32>(repeating: 1 << 21), to: SIMD2<Int64>.self)
      }
      // The largest double below one half doesn't round 0.5 - 2⁻⁵⁴ up.
      let sign = unsafeBitCast(x, to: SIMD2<Int64>.self) & SIMD2<Int64>(repeating: .min)
      return _mm_cvttpd_epi32(
        x + unsafeBitCast(sign | SIMD2<Int64>(repeating: 0x3FDF_FFFF_FFFF_FFFF), to: SIMD2<Double>.self))
    }

    @inline(__always) static func scaledSums(
      _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
    ) -> I {
      let (high, low) = (words(high), words(low))
      let first = scaledHalf(high, low, terms, factors, roundsUp)
      let second = scaledHalf(SIMD2(high.y, 0), SIMD2(low.y, 0), terms + 16, factors + 16, roundsUp)
      return ints(SIMD2(first.x, second.x))
    }

    @inline(__always) private static func words(_ x: I) -> SIMD2<Int64> { unsafeBitCast(x, to: SIMD2<Int64>.self) }
    @inline(__always) private static func ints(_ x: SIMD2<Int64>) -> I { unsafeBitCast(x, to: I.self) }
  }
#endif

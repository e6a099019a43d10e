#if SWIFTLET_AVX512
  import _Builtin_intrinsics.intel

  /// x86-64-v4 with VNNI: 32 registers of 512 bits.
  enum AVX512: VectorISA {
    typealias F = SIMD16<Float>
    typealias I = SIMD16<Int32>

    @inline(__always) static var tileRows: Int { 6 }
    @inline(__always) static var quantizedTileRows: Int { 6 }
    @inline(__always) static var splitsBytes: Bool { false }
    // 512-bit vectors have two execution units for products and all other integer operations. A tile has one flip per
    // two products.
    @inline(__always) static var flipsDelayProducts: Bool { true }

    @inline(__always) static func add(_ a: F, _ b: F) -> F { _mm512_add_ps(a, b) }
    @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { _mm512_fmadd_ps(a, b, c) }
    @inline(__always) static func maximum(_ a: F, _ b: F) -> F { _mm512_max_ps(a, b) }
    @inline(__always) static func minimum(_ a: F, _ b: F) -> F { _mm512_min_ps(a, b) }

    @inline(__always) static func maximum(_ a: I, _ b: I) -> I { ints(_mm512_max_epi32(bits(a), bits(b))) }
    @inline(__always) static func minimum(_ a: I, _ b: I) -> I { ints(_mm512_min_epi32(bits(a), bits(b))) }

    @inline(__always) static func select(signOf x: F, negative: F, positive: F) -> F {
      _mm512_mask_blend_ps(_mm512_movepi32_mask(unsafeBitCast(x, to: SIMD8<Int64>.self)), positive, negative)
    }
    @inline(__always) static func squareRoot(_ x: F) -> F { _mm512_sqrt_ps(x) }
    @inline(__always) static func estimatedReciprocalSquareRoot(_ x: F) -> F { _mm512_rsqrt14_ps(x) }
    @inline(__always) static func sumOfHalves(_ x: F) -> Float {
      let eight = x.lowHalf + x.highHalf
      let four = eight.lowHalf + eight.highHalf
      let two = four.lowHalf + four.highHalf
      return two.x + two.y
    }

    @inline(__always) static func toInt(_ x: F) -> I { ints(_mm512_cvtps_epi32(x)) }
    @inline(__always) static func toIntTruncating(_ x: F) -> I { ints(_mm512_cvttps_epi32(x)) }
    @inline(__always) static func toFloat(_ x: I) -> F { _mm512_cvtepi32_ps(bits(x)) }

    @inline(__always) static func keepingFirst(_ count: Int, _ x: F) -> F {
      _mm512_mask_blend_ps(firstLanes(count), F(), x)
    }
    @inline(__always) static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      _mm512_maskz_loadu_ps(firstLanes(count), pointer)
    }
    @inline(__always) static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm512_maskz_loadu_epi32(firstLanes(count), pointer))
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_storeu_ps(pointer, firstLanes(count), x)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_storeu_epi32(pointer, firstLanes(count), bits(x))
    }

    @inline(__always) static func selected(_ order: I, _ a: F) -> F { _mm512_permutexvar_ps(bits(order), a) }
    @inline(__always) static func selected(_ order: I, _ a: F, _ b: F) -> F {
      _mm512_permutex2var_ps(a, bits(order), b)
    }

    @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
      ints(_mm512_cvtepu8_epi32(pointer.loadUnaligned(as: SIMD2<Int64>.self)))
    }
    @inline(__always) static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(firstLanes(count), pointer)))
    }
    @inline(__always) static func loadInt16(_ pointer: UnsafeRawPointer) -> I {
      ints(_mm512_cvtepi16_epi32(pointer.loadUnaligned(as: SIMD4<Int64>.self)))
    }
    @inline(__always) static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(firstLanes(count), pointer)))
    }
    @inline(__always) static func loadFloat16(_ pointer: UnsafeRawPointer) -> F {
      _mm512_cvtph_ps(pointer.loadUnaligned(as: SIMD4<Int64>.self))
    }
    @inline(__always) static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(firstLanes(count), pointer))
    }
    @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I { ints(_mm512_max_epu8(bits(a), bits(b))) }
    @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I { ints(_mm512_min_epu8(bits(a), bits(b))) }
    @inline(__always) static func maximumInt16(_ a: I, _ b: I) -> I { ints(_mm512_max_epi16(bits(a), bits(b))) }
    @inline(__always) static func minimumInt16(_ a: I, _ b: I) -> I { ints(_mm512_min_epi16(bits(a), bits(b))) }
    @inline(__always) static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      pointer.storeBytes(of: _mm512_cvtepi32_epi8(bits(x)), as: SIMD2<Int64>.self)
    }
    @inline(__always) static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_cvtepi32_storeu_epi8(pointer, firstLanes(count), bits(x))
    }
    @inline(__always) static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      pointer.storeBytes(of: _mm512_cvtepi32_epi16(bits(x)), as: SIMD4<Int64>.self)
    }
    @inline(__always) static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_cvtepi32_storeu_epi16(pointer, firstLanes(count), bits(x))
    }

    @inline(__always) static func inputBytes(_ x: I, flip: I) -> I { ints(_mm512_sub_epi8(bits(x), bits(flip))) }
    @inline(__always) static func weightBytes(_ x: I) -> I { x }
    @inline(__always) static func dot(_ sum: I, _ input: I, _ weights: I) -> I {
      ints(_mm512_dpbusd_epi32(bits(sum), bits(input), bits(weights)))
    }

    @inline(__always) static var hasDotInstruction: Bool { true }

    typealias PanelBytes = SIMD4<Int64>
    @inline(__always) static func saturatedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      let a = _mm512_adds_epi16(_mm512_packs_epi32(bits(a0), bits(a1)), bits(zeroPoint))
      let b = _mm512_adds_epi16(_mm512_packs_epi32(bits(b0), bits(b1)), bits(zeroPoint))
      let bytes = _mm512_xor_si512(
        _mm512_min_epi8(_mm512_max_epi8(_mm512_packs_epi16(a, b), bits(lower)), bits(upper)), bits(flip))
      // Packing instructions work within 128-bit quarters. Quarter i now contains four bytes each of a0, a1, b0, and
      // b1.
      let order = I(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      let ordered = _mm512_permutexvar_epi32(bits(order), bytes)
      return (ordered.lowHalf, ordered.highHalf)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer) {
      _mm256_mask_storeu_epi8(pointer, UInt32(truncatingIfNeeded: (1 &<< count) &- 1), x)
    }

    typealias ByteRow = SIMD2<Int64>
    @inline(__always) static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow {
      pointer.loadUnaligned(as: ByteRow.self)
    }
    @inline(__always) static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow {
      _mm_maskz_loadu_epi8(firstLanes(count), pointer)
    }
    @inline(__always) static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I {
      let rows = SIMD8(lowHalf: SIMD4(lowHalf: a, highHalf: b), highHalf: SIMD4(lowHalf: c, highHalf: d))
      // First transpose the four bytes of a row that four lanes read, and then the bytes of each lane. Both are 4 × 4
      // transposes.
      let order = I(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      let square = SIMD4<Int32>(0x0C08_0400, 0x0D09_0501, 0x0E0A_0602, 0x0F0B_0703)
      let squares = I(
        lowHalf: SIMD8(lowHalf: square, highHalf: square), highHalf: SIMD8(lowHalf: square, highHalf: square))
      return ints(_mm512_shuffle_epi8(_mm512_permutexvar_epi32(bits(order), rows), bits(squares)))
    }
    @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      let (a, b, c, d) = (bits(a), bits(b), bits(c), bits(d))
      let lowAB = _mm512_unpacklo_epi8(a, b), highAB = _mm512_unpackhi_epi8(a, b)
      let lowCD = _mm512_unpacklo_epi8(c, d), highCD = _mm512_unpackhi_epi8(c, d)
      return (
        ints(_mm512_unpacklo_epi16(lowAB, lowCD)), ints(_mm512_unpackhi_epi16(lowAB, lowCD)),
        ints(_mm512_unpacklo_epi16(highAB, highCD)), ints(_mm512_unpackhi_epi16(highAB, highCD))
      )
    }
    @inline(__always) static func saturatedRow(
      _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> I {
      let ab = _mm512_adds_epi16(_mm512_packs_epi32(bits(a), bits(b)), bits(zeroPoint))
      let cd = _mm512_adds_epi16(_mm512_packs_epi32(bits(c), bits(d)), bits(zeroPoint))
      let bytes = _mm512_min_epi8(_mm512_max_epi8(_mm512_packs_epi16(ab, cd), bits(lower)), bits(upper))
      return ints(_mm512_xor_si512(bytes, bits(flip)))
    }
    @inline(__always) static func secondHalf(_ x: PanelBytes) -> PanelBytes { PanelBytes(x.z, x.w, x.z, x.w) }
    @inline(__always) static func storePixels(
      _ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
    ) {
      first.storeBytes(of: x.lowHalf, as: SIMD2<Int64>.self)
      second.storeBytes(of: x.highHalf, as: SIMD2<Int64>.self)
    }

    @inline(__always) static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I {
      let half = SIMD8<Int64>(repeating: 1 << 30), a = bits(a), b = bits(b)
      let even = (_mm512_mul_epi32(a, b) &+ half) &>> 31
      let odd = (_mm512_mul_epi32(a &>> 32, b &>> 32) &+ half) &<< 1
      return ints(_mm512_mask_blend_epi32(0xAAAA, even, odd))
    }

    /// Returns the rounded results of `scaledSums` for half of the lanes.
    @inline(__always) private static func scaledHalf(
      _ high: SIMD4<Int64>, _ low: SIMD4<Int64>, _ terms: UnsafeRawPointer, _ factors: UnsafeRawPointer,
      _ roundsUp: Bool
    ) -> SIMD4<Int64> {
      let term = terms.loadUnaligned(as: SIMD8<Double>.self), factor = factors.loadUnaligned(as: SIMD8<Double>.self)
      let sum = _mm512_cvtepi32_pd(high) * SIMD8<Double>(repeating: 256) + (_mm512_cvtepi32_pd(low) + term)
      let limit = SIMD8<Double>(repeating: 0x1p20)
      let x = _mm512_min_pd(_mm512_max_pd(sum * factor, SIMD8<Double>(repeating: -0x1p20)), limit)
      if roundsUp {
        // Truncation rounds positive values down.
        let shifted = unsafeBitCast(
          _mm512_cvttpd_epi32(x + SIMD8<Double>(repeating: 0x1p21 + 0.5)), to: SIMD8<Int32>.self)
        return unsafeBitCast(shifted &- SIMD8<Int32>(repeating: 1 << 21), to: SIMD4<Int64>.self)
      }
      // The largest double below one half doesn't round 0.5 - 2⁻⁵⁴ up.
      let sign = unsafeBitCast(x, to: SIMD8<Int64>.self) & SIMD8<Int64>(repeating: .min)
      return _mm512_cvttpd_epi32(
        x + unsafeBitCast(sign | SIMD8<Int64>(repeating: 0x3FDF_FFFF_FFFF_FFFF), to: SIMD8<Double>.self))
    }

    @inline(__always) static func scaledSums(
      _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
    ) -> I {
      let (high, low) = (bits(high), bits(low))
      return ints(
        SIMD8(
          lowHalf: scaledHalf(high.lowHalf, low.lowHalf, terms, factors, roundsUp),
          highHalf: scaledHalf(high.highHalf, low.highHalf, terms + 64, factors + 64, roundsUp)))
    }

    @inline(__always) static func elements(of table: UnsafePointer<Int32>, at indices: I) -> I {
      var result = I()
      for lane in 0..<I.scalarCount { result[lane] = table[Int(indices[lane])] }
      return result
    }

    @inline(__always) static func permuted(_ x: I, _ indices: I) -> I {
      ints(_mm512_permutexvar_epi32(bits(indices), bits(x)))
    }

    @inline(__always) static func ramp() -> I { I(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }
    @inline(__always) static func largest(_ x: I) -> Int32 { _mm512_reduce_max_epi32(bits(x)) }
    @inline(__always) static func sum(_ x: I) -> Int32 { _mm512_reduce_add_epi32(bits(x)) }
    @inline(__always) static func largest(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      let ab = bits(bits(maximum(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b))))
      let cd = bits(bits(maximum(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d))))
      // Every quarter contains a lane of each vector.
      let quarters = maximum(
        floats(ints(_mm512_unpacklo_epi64(ab, cd))), floats(ints(_mm512_unpackhi_epi64(ab, cd))))
      let halves = _mm256_max_ps(quarters.lowHalf, quarters.highHalf)
      return _mm_max_ps(halves.lowHalf, halves.highHalf)
    }

    @inline(__always) static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32> {
      let (a, b, c, d) = (bits(a), bits(b), bits(c), bits(d))
      let ab = bits(ints(_mm512_unpacklo_epi32(a, b)) &+ ints(_mm512_unpackhi_epi32(a, b)))
      let cd = bits(ints(_mm512_unpacklo_epi32(c, d)) &+ ints(_mm512_unpackhi_epi32(c, d)))
      // Every quarter contains a part of each sum.
      let quarters = ints(_mm512_unpacklo_epi64(ab, cd)) &+ ints(_mm512_unpackhi_epi64(ab, cd))
      let halves = quarters.lowHalf &+ quarters.highHalf
      return halves.lowHalf &+ halves.highHalf
    }

    @inline(__always) static func sums(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      let ab = bits(bits(add(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b))))
      let cd = bits(bits(add(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d))))
      // Every quarter contains a part of each sum.
      let quarters = add(floats(ints(_mm512_unpacklo_epi64(ab, cd))), floats(ints(_mm512_unpackhi_epi64(ab, cd))))
      let halves = _mm256_add_ps(quarters.lowHalf, quarters.highHalf)
      return _mm_add_ps(halves.lowHalf, halves.highHalf)
    }

    /// A lookup in a table of 128 pairs of bytes in four registers. Two permutations find the pair, bit 7 of the byte
    /// selects the half of the table, and bit 0 selects the byte of the pair.
    @inline(__always) static func lookUpVectors(
      count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
    ) -> Int {
      typealias Words = SIMD8<Int64>
      let table = UnsafeRawPointer(table), source = UnsafeRawPointer(input), target = UnsafeMutableRawPointer(output)
      let t0 = table.loadUnaligned(as: Words.self), t1 = table.loadUnaligned(fromByteOffset: 64, as: Words.self)
      let t2 = table.loadUnaligned(fromByteOffset: 128, as: Words.self)
      let t3 = table.loadUnaligned(fromByteOffset: 192, as: Words.self)
      let low = bits(I(repeating: 0x00FF_00FF)), odd = bits(I(repeating: 0x0008_0008))
      let upper = bits(I(repeating: 0x0080_0080))
      // Returns the entries of words from 0 to 255 in their low bytes.
      @inline(__always) func entries(_ x: Words) -> Words {
        let index = _mm512_srli_epi16(x, 1)
        let pair = _mm512_mask_blend_epi16(
          _mm512_test_epi16_mask(x, upper), _mm512_permutex2var_epi16(t0, index, t1),
          _mm512_permutex2var_epi16(t2, index, t3))
        return _mm512_srlv_epi16(pair, _mm512_slli_epi16(x, 3) & odd) & low
      }
      var index = 0
      while index &+ 64 <= count {
        let x = source.loadUnaligned(fromByteOffset: index, as: Words.self)
        let even = entries(x & low), other = entries(_mm512_srli_epi16(x, 8))
        target.storeBytes(of: even | _mm512_slli_epi16(other, 8), toByteOffset: index, as: Words.self)
        index &+= 64
      }
      return index
    }

    @inline(__always) private static func bits(_ x: I) -> SIMD8<Int64> { unsafeBitCast(x, to: SIMD8<Int64>.self) }
    @inline(__always) private static func ints(_ x: SIMD8<Int64>) -> I { unsafeBitCast(x, to: I.self) }

    @inline(__always) private static func firstLanes(_ count: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: (1 &<< count) &- 1)
    }
  }
#endif

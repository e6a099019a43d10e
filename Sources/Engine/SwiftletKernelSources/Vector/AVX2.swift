#if SWIFTLET_AVX2
  import _Builtin_intrinsics.intel

  /// x86-64-v3: AVX2 and fused multiply-add, 16 registers of 256 bits. With AVX-VNNI, also int8 dot products.
  enum AVX2: VectorISA {
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>

    @inline(__always) static var tileRows: Int { 6 }
    @inline(__always) static var quantizedTileRows: Int { 4 }
    // Even without splitting, tiles would need more than sixteen registers.
    @inline(__always) static var splitsBytes: Bool { true }

    @inline(__always) static func add(_ a: F, _ b: F) -> F { _mm256_add_ps(a, b) }
    @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { _mm256_fmadd_ps(a, b, c) }
    @inline(__always) static func maximum(_ a: F, _ b: F) -> F { _mm256_max_ps(a, b) }
    @inline(__always) static func minimum(_ a: F, _ b: F) -> F { _mm256_min_ps(a, b) }

    @inline(__always) static func maximum(_ a: I, _ b: I) -> I { ints(_mm256_max_epi32(bits(a), bits(b))) }
    @inline(__always) static func minimum(_ a: I, _ b: I) -> I { ints(_mm256_min_epi32(bits(a), bits(b))) }

    @inline(__always) static func select(signOf x: F, negative: F, positive: F) -> F {
      _mm256_blendv_ps(positive, negative, x)
    }
    @inline(__always) static func squareRoot(_ x: F) -> F { _mm256_sqrt_ps(x) }
    @inline(__always) static func estimatedReciprocalSquareRoot(_ x: F) -> F { _mm256_rsqrt_ps(x) }
    @inline(__always) static func sumOfHalves(_ x: F) -> Float {
      let four = x.lowHalf + x.highHalf
      let two = four.lowHalf + four.highHalf
      return two.x + two.y
    }

    @inline(__always) static func toInt(_ x: F) -> I { ints(_mm256_cvtps_epi32(x)) }
    @inline(__always) static func toIntTruncating(_ x: F) -> I { ints(_mm256_cvttps_epi32(x)) }
    @inline(__always) static func toFloat(_ x: I) -> F { _mm256_cvtepi32_ps(bits(x)) }

    @inline(__always) static func keepingFirst(_ count: Int, _ x: F) -> F {
      unsafeBitCast(unsafeBitCast(x, to: SIMD4<Int64>.self) & firstLanes(count), to: F.self)
    }
    @inline(__always) static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      _mm256_maskload_ps(pointer.assumingMemoryBound(to: Float.self), firstLanes(count))
    }
    @inline(__always) static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm256_maskload_epi32(pointer.assumingMemoryBound(to: Int32.self), firstLanes(count)))
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      storeFirst(count, bits(bits(x)), pointer)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      storeFirst(count, bits(x), pointer)
    }
    /// Stores two overlapping vectors instead of one with a mask, or a vector and a half.
    @inline(__always)
    static func storeFirst(_ count: Int, of x1: F, behind x0: F, _ pointer: UnsafeMutableRawPointer) {
      store(x0, pointer)
      if count == 4 { return storeFirst(4, x1, pointer + vectorBytes) }
      let indices = ramp() &+ splat(Int32(truncatingIfNeeded: count))
      // The lanes of both vectors from lane `count` of the first on.
      let isSecond = floats((splat(7) &- indices) as I)
      let end = _mm256_blendv_ps(
        _mm256_permutevar8x32_ps(x0, bits(indices)), _mm256_permutevar8x32_ps(x1, bits(indices)), isSecond)
      store(end, pointer + count &* 4)
    }
    /// Stores the first lanes. A masked store is slow on AMD CPUs without AVX-512, so half a vector, the most common part,
    /// is stored without a mask.
    @inline(__always)
    private static func storeFirst(_ count: Int, _ x: SIMD4<Int64>, _ pointer: UnsafeMutableRawPointer) {
      if count == 4 { return pointer.storeBytes(of: x.lowHalf, as: SIMD2<Int64>.self) }
      _mm256_maskstore_epi32(pointer.assumingMemoryBound(to: Int32.self), firstLanes(count), x)
    }

    @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
      ints(_mm256_cvtepu8_epi32(SIMD2(pointer.loadUnaligned(as: Int64.self), 0)))
    }
    @inline(__always) static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm256_cvtepu8_epi32(SIMD2(loadFirstByteRow(count, pointer), 0)))
    }
    @inline(__always) static func loadInt16(_ pointer: UnsafeRawPointer) -> I {
      ints(_mm256_cvtepi16_epi32(pointer.loadUnaligned(as: SIMD2<Int64>.self)))
    }
    @inline(__always) static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      ints(_mm256_cvtepi16_epi32(firstInt16(count, pointer)))
    }
    @inline(__always) static func loadFloat16(_ pointer: UnsafeRawPointer) -> F {
      _mm256_cvtph_ps(pointer.loadUnaligned(as: SIMD2<Int64>.self))
    }
    @inline(__always) static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      _mm256_cvtph_ps(firstInt16(count, pointer))
    }
    @inline(__always) private static func firstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> SIMD2<Int64> {
      var low: Int64 = 0, high: Int64 = 0
      var position = count
      while position > 0 {
        position &-= 1
        let half = Int64(pointer.loadUnaligned(fromByteOffset: position &* 2, as: UInt16.self))
        if position >= 4 { high = high &<< 16 | half } else { low = low &<< 16 | half }
      }
      return SIMD2(low, high)
    }
    @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I { ints(_mm256_max_epu8(bits(a), bits(b))) }
    @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I { ints(_mm256_min_epu8(bits(a), bits(b))) }
    @inline(__always) static func maximumInt16(_ a: I, _ b: I) -> I { ints(_mm256_max_epi16(bits(a), bits(b))) }
    @inline(__always) static func minimumInt16(_ a: I, _ b: I) -> I { ints(_mm256_min_epi16(bits(a), bits(b))) }
    @inline(__always) static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      pointer.storeBytes(of: packedBytes(x), as: Int64.self)
    }
    @inline(__always) static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      var bytes = packedBytes(x)
      var position = 0
      while position < count {
        pointer.storeBytes(of: UInt8(truncatingIfNeeded: bytes), toByteOffset: position, as: UInt8.self)
        bytes &>>= 8
        position &+= 1
      }
    }
    @inline(__always) static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      pointer.storeBytes(of: packedInt16(x), as: SIMD2<Int64>.self)
    }
    @inline(__always) static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      let halves = packedInt16(x)
      var remaining = halves.x
      var position = 0
      while position < count {
        if position == 4 { remaining = halves.y }
        pointer.storeBytes(of: UInt16(truncatingIfNeeded: remaining), toByteOffset: position &* 2, as: UInt16.self)
        remaining &>>= 16
        position &+= 1
      }
    }

    #if SWIFTLET_AVXVNNI
      @inline(__always) static var hasDotInstruction: Bool { true }

      typealias InputBytes = I
      typealias WeightBytes = I
      @inline(__always) static func inputBytes(_ x: I, flip: I) -> I { ints(_mm256_sub_epi8(bits(x), bits(flip))) }
      @inline(__always) static func weightBytes(_ x: I) -> I { x }
      @inline(__always) static func dot(_ sum: I, _ input: I, _ weights: I) -> I {
        ints(_mm256_dpbusd_avx_epi32(bits(sum), bits(input), bits(weights)))
      }
    #else
      /// Bytes 0 and 2, and bytes 1 and 3, of each lane, widened to 16 bits. Two `vpmaddwd` compute the exact sums of
      /// products. (`vpmaddubsw`, one instruction for all four, saturates at 16 bits.)
      struct SplitBytes {
        let even: SIMD4<Int64>
        let odd: SIMD4<Int64>
      }
      @inline(__always) static func inputBytes(_ x: I, flip: I) -> SplitBytes {
        let x = _mm256_sub_epi8(bits(x), bits(flip))
        return SplitBytes(even: x & bits(I(repeating: 0x00FF_00FF)), odd: _mm256_srli_epi16(x, 8))
      }
      @inline(__always) static func weightBytes(_ x: I) -> SplitBytes {
        let x = bits(x)
        return SplitBytes(even: _mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8), odd: _mm256_srai_epi16(x, 8))
      }
      @inline(__always) static func dot(_ sum: I, _ input: SplitBytes, _ weights: SplitBytes) -> I {
        sum &+ ints(_mm256_madd_epi16(input.even, weights.even)) &+ ints(_mm256_madd_epi16(input.odd, weights.odd))
      }
      /// A group of four bytes is stored as bytes 0 and 2, and then bytes 1 and 3, in 16 bits each.
      @inline(__always) static var copiedByteSize: Int { 2 }
      @inline(__always) static func storeCopies(_ x: I, flip: I, _ pointer: UnsafeMutableRawPointer) {
        let x = inputBytes(x, flip: flip)
        // Instructions unpack within 128-bit halves.
        let low = _mm256_unpacklo_epi32(x.even, x.odd), high = _mm256_unpackhi_epi32(x.even, x.odd)
        pointer.storeBytes(of: SIMD4(lowHalf: low.lowHalf, highHalf: high.lowHalf), as: SIMD4<Int64>.self)
        pointer.storeBytes(
          of: SIMD4(lowHalf: low.highHalf, highHalf: high.highHalf), toByteOffset: vectorBytes, as: SIMD4<Int64>.self)
      }
      @inline(__always) static func storeCopy(_ x: Int32, _ pointer: UnsafeMutableRawPointer) {
        let x = UInt32(bitPattern: x), mask: UInt32 = 0x00FF_00FF
        pointer.storeBytes(of: x & mask, as: UInt32.self)
        pointer.storeBytes(of: x &>> 8 & mask, toByteOffset: 4, as: UInt32.self)
      }
      @inline(__always) static func copiedInput(_ pointer: UnsafeRawPointer) -> SplitBytes {
        SplitBytes(
          even: bits(splat(pointer.loadUnaligned(as: Int32.self))),
          odd: bits(splat(pointer.loadUnaligned(fromByteOffset: 4, as: Int32.self))))
      }
      /// The products are small enough for `vpmaddubsw`.
      @inline(__always) static func dot(_ sum: I, halfBytes: I, _ signed: I) -> I {
        let pairs = _mm256_maddubs_epi16(bits(halfBytes), bits(signed))
        return sum &+ ints(_mm256_madd_epi16(pairs, bits(I(repeating: 0x0001_0001))))
      }
    #endif

    typealias PanelBytes = SIMD2<Int64>
    @inline(__always) static func saturatedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      let a = _mm256_adds_epi16(_mm256_packs_epi32(bits(a0), bits(a1)), bits(zeroPoint))
      let b = _mm256_adds_epi16(_mm256_packs_epi32(bits(b0), bits(b1)), bits(zeroPoint))
      let bytes = _mm256_min_epi8(_mm256_max_epi8(_mm256_packs_epi16(a, b), bits(lower)), bits(upper)) ^ bits(flip)
      // Packing instructions work within 128-bit halves. Half i now contains four bytes each of a0, a1, b0, and b1.
      let ordered = _mm256_permutevar8x32_epi32(bytes, bits(I(0, 4, 1, 5, 2, 6, 3, 7)))
      return (ordered.lowHalf, ordered.highHalf)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer) {
      var pointer = pointer, left = count, bytes = x.x
      if left >= 8 {
        pointer.storeBytes(of: bytes, as: Int64.self)
        pointer += 8
        left &-= 8
        bytes = x.y
      }
      while left > 0 {
        pointer.storeBytes(of: UInt8(truncatingIfNeeded: bytes), as: UInt8.self)
        pointer += 1
        left &-= 1
        bytes &>>= 8
      }
    }

    typealias ByteRow = Int64
    @inline(__always) static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow {
      pointer.loadUnaligned(as: ByteRow.self)
    }
    @inline(__always) static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow {
      var bytes: Int64 = 0
      var position = count
      while position > 0 {
        position &-= 1
        bytes = bytes &<< 8 | Int64(pointer.load(fromByteOffset: position, as: UInt8.self))
      }
      return bytes
    }
    @inline(__always) static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I {
      let ab = _mm_unpacklo_epi8(SIMD2(a, 0), SIMD2(b, 0)), cd = _mm_unpacklo_epi8(SIMD2(c, 0), SIMD2(d, 0))
      return ints(SIMD4(lowHalf: _mm_unpacklo_epi16(ab, cd), highHalf: _mm_unpackhi_epi16(ab, cd)))
    }
    @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      let (a, b, c, d) = (bits(a), bits(b), bits(c), bits(d))
      let lowAB = _mm256_unpacklo_epi8(a, b), highAB = _mm256_unpackhi_epi8(a, b)
      let lowCD = _mm256_unpacklo_epi8(c, d), highCD = _mm256_unpackhi_epi8(c, d)
      return (
        ints(_mm256_unpacklo_epi16(lowAB, lowCD)), ints(_mm256_unpackhi_epi16(lowAB, lowCD)),
        ints(_mm256_unpacklo_epi16(highAB, highCD)), ints(_mm256_unpackhi_epi16(highAB, highCD))
      )
    }
    @inline(__always) static func saturatedRow(
      _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> I {
      let ab = _mm256_adds_epi16(_mm256_packs_epi32(bits(a), bits(b)), bits(zeroPoint))
      let cd = _mm256_adds_epi16(_mm256_packs_epi32(bits(c), bits(d)), bits(zeroPoint))
      let bytes = _mm256_min_epi8(_mm256_max_epi8(_mm256_packs_epi16(ab, cd), bits(lower)), bits(upper))
      return ints(bytes ^ bits(flip))
    }
    @inline(__always) static func secondHalf(_ x: PanelBytes) -> PanelBytes { PanelBytes(x.y, x.y) }
    @inline(__always) static func storePixels(
      _ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
    ) {
      first.storeBytes(of: x.x, as: Int64.self)
      second.storeBytes(of: x.y, as: Int64.self)
    }

    @inline(__always) static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I {
      let half = SIMD4<Int64>(repeating: 1 << 30), a = bits(a), b = bits(b)
      let even = _mm256_srli_epi64(_mm256_mul_epi32(a, b) &+ half, 31)
      let odd = (_mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32)) &+ half) &<< 1
      let low = SIMD4<Int64>(repeating: 0xFFFF_FFFF)
      return ints(even & low | odd & ~low)
    }

    /// Returns the rounded results of `scaledSums` for half of the lanes.
    @inline(__always) private static func scaledHalf(
      _ high: SIMD2<Int64>, _ low: SIMD2<Int64>, _ terms: UnsafeRawPointer, _ factors: UnsafeRawPointer,
      _ roundsUp: Bool
    ) -> SIMD2<Int64> {
      let term = terms.loadUnaligned(as: SIMD4<Double>.self), factor = factors.loadUnaligned(as: SIMD4<Double>.self)
      let sum = _mm256_cvtepi32_pd(high) * SIMD4<Double>(repeating: 256) + (_mm256_cvtepi32_pd(low) + term)
      let limit = SIMD4<Double>(repeating: 0x1p20)
      let x = _mm256_min_pd(_mm256_max_pd(sum * factor, SIMD4<Double>(repeating: -0x1p20)), limit)
      if roundsUp {
        // Truncation rounds positive values down.
        let shifted = unsafeBitCast(
          _mm256_cvttpd_epi32(x + SIMD4<Double>(repeating: 0x1p21 + 0.5)), to: SIMD4<Int32>.self)
        return unsafeBitCast(shifted &- SIMD4<Int32>(repeating: 1 << 21), to: SIMD2<Int64>.self)
      }
      // The largest double below one half doesn't round 0.5 - 2⁻⁵⁴ up.
      let sign = unsafeBitCast(x, to: SIMD4<Int64>.self) & SIMD4<Int64>(repeating: .min)
      return _mm256_cvttpd_epi32(
        x + unsafeBitCast(sign | SIMD4<Int64>(repeating: 0x3FDF_FFFF_FFFF_FFFF), to: SIMD4<Double>.self))
    }

    @inline(__always) static func scaledSums(
      _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
    ) -> I {
      let (high, low) = (bits(high), bits(low))
      return ints(
        SIMD4(
          lowHalf: scaledHalf(high.lowHalf, low.lowHalf, terms, factors, roundsUp),
          highHalf: scaledHalf(high.highHalf, low.highHalf, terms + 32, factors + 32, roundsUp)))
    }

    @inline(__always) static func elements(of table: UnsafePointer<Int32>, at indices: I) -> I {
      var result = I()
      for lane in 0..<I.scalarCount { result[lane] = table[Int(indices[lane])] }
      return result
    }

    @inline(__always) static func permuted(_ x: I, _ indices: I) -> I {
      ints(_mm256_permutevar8x32_epi32(bits(x), bits(indices)))
    }

    @inline(__always) static func ramp() -> I { I(0, 1, 2, 3, 4, 5, 6, 7) }
    @inline(__always) static func largest(_ x: I) -> Int32 {
      var four = unsafeBitCast(
        _mm_max_epi32(
          unsafeBitCast(x.lowHalf, to: SIMD2<Int64>.self), unsafeBitCast(x.highHalf, to: SIMD2<Int64>.self)),
        to: SIMD4<Int32>.self)
      four = unsafeBitCast(
        _mm_max_epi32(
          unsafeBitCast(four, to: SIMD2<Int64>.self),
          unsafeBitCast(SIMD4(four.z, four.w, four.x, four.y), to: SIMD2<Int64>.self)), to: SIMD4<Int32>.self)
      return max(four.x, four.y)
    }

    @inline(__always) static func sum(_ x: I) -> Int32 {
      let four = x.lowHalf &+ x.highHalf
      let two = four.lowHalf &+ four.highHalf
      return two.x &+ two.y
    }

    @inline(__always) static func largest(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      let ab = bits(bits(maximum(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b))))
      let cd = bits(bits(maximum(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d))))
      // Both halves contain a lane of each vector.
      let halves = maximum(
        floats(ints(_mm256_unpacklo_epi64(ab, cd))), floats(ints(_mm256_unpackhi_epi64(ab, cd))))
      return _mm_max_ps(halves.lowHalf, halves.highHalf)
    }

    @inline(__always) static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32> {
      let four = _mm256_hadd_epi32(_mm256_hadd_epi32(bits(a), bits(b)), _mm256_hadd_epi32(bits(c), bits(d)))
      return ints(four).lowHalf &+ ints(four).highHalf
    }

    @inline(__always) static func sums(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      let four = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d))
      return _mm_add_ps(four.lowHalf, four.highHalf)
    }

    /// A lookup in sixteen parts of 16 entries. The index decreases by 16 from part to part. A shuffle returns zero for
    /// bytes from 128 on, so the index selects entries of all parts up to its own, or of its own and the seven before. Each
    /// part is stored as the difference that makes the exclusive or of the selected ones its entry.
    @inline(__always) static func lookUpVectors(
      count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
    ) -> Int {
      typealias Bytes = SIMD4<Int64>
      guard count > 31 else { return 0 }
      let table = UnsafeRawPointer(table), source = UnsafeRawPointer(input), target = UnsafeMutableRawPointer(output)
      var storage = (SIMD64<UInt8>(), SIMD64<UInt8>(), SIMD64<UInt8>(), SIMD64<UInt8>())
      return withUnsafeMutableBytes(of: &storage) { storage in
        guard let parts = storage.baseAddress else { return 0 }
        @inline(__always) func entries(_ pointer: UnsafeRawPointer, _ part: Int) -> SIMD2<Int64> {
          pointer.loadUnaligned(fromByteOffset: part &* 16, as: SIMD2<Int64>.self)
        }
        parts.storeBytes(of: entries(table, 0), as: SIMD2<Int64>.self)
        var part = 1
        while part < 16 {
          var difference = entries(table, part) ^ entries(table, part &- 1)
          if part > 7 { difference ^= entries(parts, part &- 8) }
          parts.storeBytes(of: difference, toByteOffset: part &* 16, as: SIMD2<Int64>.self)
          part &+= 1
        }
        let sixteen = bits(I(repeating: 0x1010_1010))
        @inline(__always) func select(_ part: Int, _ x: Bytes) -> Bytes {
          let entries = entries(parts, part)
          return _mm256_shuffle_epi8(Bytes(lowHalf: entries, highHalf: entries), x)
        }
        var index = 0
        while index &+ 32 <= count {
          // The last vectors may be a single one.
          let second = index &+ 64 <= count ? index &+ 32 : index
          var x = source.loadUnaligned(fromByteOffset: index, as: Bytes.self)
          var y = source.loadUnaligned(fromByteOffset: second, as: Bytes.self)
          var a = select(0, x), b = select(0, y)
          var part = 1
          while part < 9 {
            x = _mm256_sub_epi8(x, sixteen)
            y = _mm256_sub_epi8(y, sixteen)
            a ^= select(part, x)
            b ^= select(part, y)
            part &+= 1
          }
          while part < 16 {
            // Indices below 128 stay negative.
            x = _mm256_subs_epi8(x, sixteen)
            y = _mm256_subs_epi8(y, sixteen)
            a ^= select(part, x)
            b ^= select(part, y)
            part &+= 1
          }
          target.storeBytes(of: a, toByteOffset: index, as: Bytes.self)
          target.storeBytes(of: b, toByteOffset: second, as: Bytes.self)
          index = second &+ 32
        }
        return index
      }
    }

    @inline(__always) private static func bits(_ x: I) -> SIMD4<Int64> { unsafeBitCast(x, to: SIMD4<Int64>.self) }
    @inline(__always) private static func ints(_ x: SIMD4<Int64>) -> I { unsafeBitCast(x, to: I.self) }

    /// Returns the low halves of all lanes.
    @inline(__always) private static func packedInt16(_ x: I) -> SIMD2<Int64> {
      let masked = x & I(repeating: 0xFFFF)
      return _mm_packus_epi32(
        unsafeBitCast(masked.lowHalf, to: SIMD2<Int64>.self), unsafeBitCast(masked.highHalf, to: SIMD2<Int64>.self))
    }

    /// Returns the low bytes of all lanes.
    @inline(__always) private static func packedBytes(_ x: I) -> Int64 {
      let halves = packedInt16(x & I(repeating: 0xFF))
      return _mm_packus_epi16(halves, halves).x
    }

    /// Returns a mask with all bits set in the first `count` lanes.
    @inline(__always) private static func firstLanes(_ count: Int) -> SIMD4<Int64> {
      let beyond = I(0, 1, 2, 3, 4, 5, 6, 7) &- I(repeating: Int32(truncatingIfNeeded: count))
      return bits(beyond &>> 31)
    }
  }
#endif

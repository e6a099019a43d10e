/// Plain Swift for every processor: NEON-sized pairs on arm64, SSE2-sized vectors on baseline x86-64.
///
/// Members are loops over lanes, which the optimiser turns into vector instructions here (and not where they are
/// reached from generic code). Products are rounded before they are added, on every processor: bit-exact numerics need
/// that, and baseline x86-64 has no other way.
enum Portable: VectorISA {
  #if arch(arm64)
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>
    typealias PanelBytes = SIMD16<UInt8>
    private typealias Bytes = SIMD32<UInt8>
    @inline(__always) static var tileRows: Int { 6 }
    @inline(__always) static var quantizedTileRows: Int { 4 }
    @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { a * b + c }
  #else
    typealias F = SIMD4<Float>
    typealias I = SIMD4<Int32>
    typealias PanelBytes = SIMD8<UInt8>
    private typealias Bytes = SIMD16<UInt8>
    @inline(__always) static var tileRows: Int { 4 }
    @inline(__always) static var quantizedTileRows: Int { 4 }
    @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { a * b + c }
  #endif

  @inline(__always) static var splitsBytes: Bool { true }

  @inline(__always) static func maximum(_ a: F, _ b: F) -> F {
    var result = F()
    for lane in 0..<F.scalarCount { result[lane] = a[lane] > b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(__always) static func minimum(_ a: F, _ b: F) -> F {
    var result = F()
    for lane in 0..<F.scalarCount { result[lane] = a[lane] < b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(__always) static func maximum(_ a: I, _ b: I) -> I {
    var result = I()
    for lane in 0..<I.scalarCount { result[lane] = a[lane] > b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(__always) static func minimum(_ a: I, _ b: I) -> I {
    var result = I()
    for lane in 0..<I.scalarCount { result[lane] = a[lane] < b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(__always) static func select(signOf x: F, negative: F, positive: F) -> F {
    let mask = unsafeBitCast(x, to: I.self) &>> 31
    let bits = unsafeBitCast(negative, to: I.self) & mask | unsafeBitCast(positive, to: I.self) & ~mask
    return unsafeBitCast(bits, to: F.self)
  }

  @inline(__always) static func squareRoot(_ x: F) -> F { x.squareRoot() }

  @inline(__always) static func toFloat(_ x: I) -> F {
    var result = F()
    for lane in 0..<F.scalarCount { result[lane] = Float(x[lane]) }
    return result
  }

  @inline(__always) static func keepingFirst(_ count: Int, _ x: F) -> F {
    var result = F()
    for lane in 0..<F.scalarCount where lane < count { result[lane] = x[lane] }
    return result
  }

  @inline(__always) static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
    var result = F()
    for lane in 0..<F.scalarCount where lane < count {
      result[lane] = pointer.loadUnaligned(fromByteOffset: lane &* 4, as: Float.self)
    }
    return result
  }

  @inline(__always) static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
    unsafeBitCast(loadFirst(count, pointer), to: I.self)
  }

  @inline(__always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<F.scalarCount where lane < count {
      pointer.storeBytes(of: x[lane], toByteOffset: lane &* 4, as: Float.self)
    }
  }

  @inline(__always) static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
    storeFirst(count, unsafeBitCast(x, to: F.self), pointer)
  }

  @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
    loadFirstBytes(I.scalarCount, pointer)
  }

  @inline(__always) static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
    var result = I()
    for lane in 0..<I.scalarCount where lane < count {
      result[lane] = Int32(pointer.load(fromByteOffset: lane, as: UInt8.self))
    }
    return result
  }

  @inline(__always) static func loadHalves(_ pointer: UnsafeRawPointer) -> I {
    loadFirstHalves(I.scalarCount, pointer)
  }

  @inline(__always) static func loadFirstHalves(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
    var result = I()
    for lane in 0..<I.scalarCount where lane < count {
      result[lane] = Int32(pointer.loadUnaligned(fromByteOffset: lane &* 2, as: Int16.self))
    }
    return result
  }

  @inline(__always) static func loadFloat16(_ pointer: UnsafeRawPointer) -> F {
    loadFirstFloat16(F.scalarCount, pointer)
  }

  /// Moves the 15 bits below the sign to where a float32 has them and multiplies by 2¹¹², the difference of the
  /// exponent biases, which puts subnormal numbers right too. Infinity and NaN need the largest exponent besides.
  @inline(__always) static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
    let halves = loadFirstHalves(count, pointer)
    let sign = halves & I(repeating: .min), magnitude = halves & I(repeating: 0x7FFF)
    let scaled = unsafeBitCast(magnitude &<< 13, to: F.self) * F(repeating: 0x1p112)
    let isSpecial = (I(repeating: 0x7BFF) &- magnitude) &>> 31
    return unsafeBitCast(
      unsafeBitCast(scaled, to: I.self) | (isSpecial & I(repeating: 0x7F80_0000)) | sign, to: F.self)
  }

  @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I {
    let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
    var result = Bytes()
    for lane in 0..<Bytes.scalarCount { result[lane] = max(a[lane], b[lane]) }
    return unsafeBitCast(result, to: I.self)
  }

  @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I {
    let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
    var result = Bytes()
    for lane in 0..<Bytes.scalarCount { result[lane] = min(a[lane], b[lane]) }
    return unsafeBitCast(result, to: I.self)
  }

  @inline(__always) static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer) {
    storeFirstBytes(I.scalarCount, x, pointer)
  }

  @inline(__always) static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<I.scalarCount where lane < count {
      pointer.storeBytes(of: UInt8(truncatingIfNeeded: x[lane]), toByteOffset: lane, as: UInt8.self)
    }
  }

  @inline(__always) static func storeHalves(_ x: I, _ pointer: UnsafeMutableRawPointer) {
    storeFirstHalves(I.scalarCount, x, pointer)
  }

  @inline(__always) static func storeFirstHalves(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<I.scalarCount where lane < count {
      pointer.storeBytes(of: UInt16(truncatingIfNeeded: x[lane]), toByteOffset: lane &* 2, as: UInt16.self)
    }
  }

  @inline(__always) static func saturatedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes) {
    var first = PanelBytes(), second = PanelBytes()
    let zero = (zeroPoint[0] &<< 16) &>> 16, low = (lower[0] &<< 24) &>> 24
    let high = (upper[0] &<< 24) &>> 24, flip = UInt8(truncatingIfNeeded: flip[0])
    func byte(_ x: Int32) -> UInt8 {
      let sum = min(max(x, -32768), 32767) &+ zero
      return UInt8(truncatingIfNeeded: min(max(sum, low), high)) ^ flip
    }
    for lane in 0..<I.scalarCount {
      first[lane] = byte(a0[lane])
      first[lane &+ I.scalarCount] = byte(a1[lane])
      second[lane] = byte(b0[lane])
      second[lane &+ I.scalarCount] = byte(b1[lane])
    }
    return (first, second)
  }

  @inline(__always) static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<PanelBytes.scalarCount where lane < count {
      pointer.storeBytes(of: x[lane], toByteOffset: lane, as: UInt8.self)
    }
  }

  typealias ByteRow = I
  @inline(__always) static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow { loadBytes(pointer) }
  @inline(__always) static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow {
    loadFirstBytes(count, pointer)
  }
  @inline(__always) static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I {
    a | b &<< 8 | c &<< 16 | d &<< 24
  }
  @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
    let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
    let c = unsafeBitCast(c, to: Bytes.self), d = unsafeBitCast(d, to: Bytes.self)
    func part(_ quarter: Int) -> I {
      var result = Bytes()
      for lane in 0..<I.scalarCount {
        let column = lane / 4 &* 16 &+ quarter &* 4 &+ lane % 4
        result[4 &* lane] = a[column]
        result[4 &* lane &+ 1] = b[column]
        result[4 &* lane &+ 2] = c[column]
        result[4 &* lane &+ 3] = d[column]
      }
      return unsafeBitCast(result, to: I.self)
    }
    return (part(0), part(1), part(2), part(3))
  }

  @inline(__always) static func saturatedRow(
    _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> I {
    var result = Bytes()
    let zero = (zeroPoint[0] &<< 16) &>> 16, low = (lower[0] &<< 24) &>> 24, high = (upper[0] &<< 24) &>> 24
    let flip = UInt8(truncatingIfNeeded: flip[0])
    func byte(_ x: Int32) -> UInt8 {
      let sum = min(max(x, -32768), 32767) &+ zero
      return UInt8(truncatingIfNeeded: min(max(sum, low), high)) ^ flip
    }
    for lane in 0..<I.scalarCount {
      let column = lane / 4 &* 16 &+ lane % 4
      result[column] = byte(a[lane])
      result[column &+ 4] = byte(b[lane])
      result[column &+ 8] = byte(c[lane])
      result[column &+ 12] = byte(d[lane])
    }
    return unsafeBitCast(result, to: I.self)
  }

  @inline(__always) static func secondHalf(_ x: PanelBytes) -> PanelBytes {
    PanelBytes(lowHalf: x.highHalf, highHalf: x.highHalf)
  }
  @inline(__always) static func storePixels(
    _ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
  ) {
    first.storeBytes(of: x.lowHalf, as: type(of: x.lowHalf))
    second.storeBytes(of: x.highHalf, as: type(of: x.highHalf))
  }

  @inline(__always) static func ramp() -> I {
    var result = I()
    for lane in 0..<I.scalarCount { result[lane] = Int32(lane) }
    return result
  }

  @inline(__always) static func largest(_ x: I) -> Int32 {
    var result = x[0]
    for lane in 1..<I.scalarCount { result = max(result, x[lane]) }
    return result
  }

  @inline(__always) static func sum(_ x: I) -> Int32 {
    var result: Int32 = 0
    for lane in 0..<I.scalarCount { result &+= x[lane] }
    return result
  }

  @inline(__always) static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32> {
    SIMD4(sum(a), sum(b), sum(c), sum(d))
  }

  @inline(__always) static func lookUpVectors(
    count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  ) -> Int { 0 }

  @inline(__always) static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I {
    var result = I()
    for lane in 0..<I.scalarCount {
      result[lane] = Int32(truncatingIfNeeded: (Int64(a[lane]) &* Int64(b[lane]) &+ 1 << 30) &>> 31)
    }
    return result
  }
}

#if arch(x86_64)
  import _Builtin_intrinsics.intel

  extension Portable {
    @inline(__always) static func toInt(_ x: F) -> I { unsafeBitCast(_mm_cvtps_epi32(x), to: I.self) }
    @inline(__always) static func toIntTruncating(_ x: F) -> I { unsafeBitCast(_mm_cvttps_epi32(x), to: I.self) }

    /// As on AVX2: bytes 0 and 2 and bytes 1 and 3 of each lane as 16-bit numbers, for `pmaddwd`.
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
  }
#else
  extension Portable {
    @inline(__always) static func toInt(_ x: F) -> I {
      var result = I(repeating: .min)
      for lane in 0..<F.scalarCount where x[lane] >= -0x1p31 && x[lane] < 0x1p31 {
        result[lane] = Int32(x[lane].rounded(.toNearestOrEven))
      }
      return result
    }

    @inline(__always) static func toIntTruncating(_ x: F) -> I {
      var result = I(repeating: .min)
      for lane in 0..<F.scalarCount where x[lane] >= -0x1p31 && x[lane] < 0x1p31 { result[lane] = Int32(x[lane]) }
      return result
    }

    /// The four bytes of each lane, one vector for each position.
    struct SplitBytes {
      let first: I
      let second: I
      let third: I
      let fourth: I
    }

    @inline(__always) static func inputBytes(_ x: I, flip: I) -> SplitBytes {
      let mask = I(repeating: 0xFF), x = x ^ flip
      return SplitBytes(first: x & mask, second: x &>> 8 & mask, third: x &>> 16 & mask, fourth: x &>> 24 & mask)
    }

    @inline(__always) static func weightBytes(_ x: I) -> SplitBytes {
      SplitBytes(first: (x &<< 24) &>> 24, second: (x &<< 16) &>> 24, third: (x &<< 8) &>> 24, fourth: x &>> 24)
    }

    @inline(__always) static func dot(_ sum: I, _ input: SplitBytes, _ weights: SplitBytes) -> I {
      sum &+ input.first &* weights.first &+ input.second &* weights.second &+ input.third &* weights.third
        &+ input.fourth &* weights.fourth
    }
  }
#endif

/// Plain Swift for every CPU: vectors of two NEON registers on arm64 and one SSE2 register on baseline x86-64.
///
/// Members are loops over lanes. The optimizer turns them into vector instructions here, but not where they are called
/// from generic code. Products are rounded before they are added on every CPU. Bit-exact numerics require this, and
/// baseline x86-64 has no other way.
enum Portable: VectorISA {
  #if arch(arm64)
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>
    typealias PanelBytes = SIMD16<UInt8>
    typealias Bytes = SIMD32<UInt8>
    @inline(__always) static var tileRows: Int { 6 }
  #else
    typealias F = SIMD4<Float>
    typealias I = SIMD4<Int32>
    typealias PanelBytes = SIMD8<UInt8>
    typealias Bytes = SIMD16<UInt8>
    @inline(__always) static var tileRows: Int { 4 }
  #endif

  @inline(__always) static var quantizedTileRows: Int { 4 }
  @inline(__always) static var splitsBytes: Bool { true }
  @inline(__always) static var hasLoopsForCommonWindows: Bool { false }

  @inline(__always) static func add(_ a: F, _ b: F) -> F { a + b }
  @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { a * b + c }

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

  @inline(__always) static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
    var result = I()
    for lane in 0..<I.scalarCount where lane < count {
      result[lane] = Int32(pointer.load(fromByteOffset: lane, as: UInt8.self))
    }
    return result
  }

  @inline(__always) static func loadInt16(_ pointer: UnsafeRawPointer) -> I {
    loadFirstInt16(I.scalarCount, pointer)
  }

  @inline(__always) static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
    var result = I()
    for lane in 0..<I.scalarCount where lane < count {
      result[lane] = Int32(pointer.loadUnaligned(fromByteOffset: lane &* 2, as: Int16.self))
    }
    return result
  }

  @inline(__always) static var hasFloat16Loads: Bool { false }
  @inline(__always) static func loadFloat16(_ pointer: UnsafeRawPointer) -> F {
    loadFirstFloat16(F.scalarCount, pointer)
  }

  /// Moves the 15 bits below the sign to their position in float32, and multiplies by 2¹¹² to correct the exponent
  /// bias. The product is also right for denormals. Infinity and NaN additionally need the largest exponent.
  @inline(__always) static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
    let halves = loadFirstInt16(count, pointer)
    let sign = halves & I(repeating: .min), magnitude = halves & I(repeating: 0x7FFF)
    let scaled = unsafeBitCast(magnitude &<< 13, to: F.self) * F(repeating: 0x1p112)
    let isSpecial = (I(repeating: 0x7BFF) &- magnitude) &>> 31
    return unsafeBitCast(
      unsafeBitCast(scaled, to: I.self) | (isSpecial & I(repeating: 0x7F80_0000)) | sign, to: F.self)
  }

  @inline(__always) static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer) {
    storeFirstBytes(I.scalarCount, x, pointer)
  }

  @inline(__always) static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<I.scalarCount where lane < count {
      pointer.storeBytes(of: UInt8(truncatingIfNeeded: x[lane]), toByteOffset: lane, as: UInt8.self)
    }
  }

  @inline(__always) static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer) {
    storeFirstInt16(I.scalarCount, x, pointer)
  }

  @inline(__always) static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<I.scalarCount where lane < count {
      pointer.storeBytes(of: UInt16(truncatingIfNeeded: x[lane]), toByteOffset: lane &* 2, as: UInt16.self)
    }
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
  @inline(__always) static func secondHalf(_ x: PanelBytes) -> PanelBytes {
    PanelBytes(lowHalf: x.highHalf, highHalf: x.highHalf)
  }
  @inline(__always) static func storePixels(
    _ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
  ) {
    first.storeBytes(of: x.lowHalf, as: type(of: x.lowHalf))
    second.storeBytes(of: x.highHalf, as: type(of: x.highHalf))
  }

  @inline(__always) static func elements(of table: UnsafePointer<Int32>, at indices: I) -> I {
    var result = I()
    for lane in 0..<I.scalarCount { result[lane] = table[Int(indices[lane])] }
    return result
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

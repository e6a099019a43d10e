/// The abstraction of one vector register of an instruction set, on which all kernels are based.
///
/// Kernels are generic over this protocol, forced inline, and do arithmetic only through its members. Several
/// standard-library operations on SIMD types (comparisons, minimum, conversion, narrowing) compile to a loop over
/// lanes, often with calls, if they are used in generic code. Each conformance implements them on concrete types.
/// Loads, stores, splats, `+ - *`, and wrapping integer arithmetic are safe in generic code and are used directly.
protocol VectorISA {
  /// A register of float32 lanes.
  associatedtype F: SIMD where F.Scalar == Float
  /// A register of int32 lanes, as many as in `F`.
  associatedtype I: SIMD where I.Scalar == Int32

  /// The number of rows in a GEMM tile. Two accumulators per row, two weights, and one input fit in the registers.
  static var tileRows: Int { get }

  /// The number of rows in a GEMM tile of bytes.
  static var quantizedTileRows: Int { get }

  /// Whether a product can broadcast one lane of an input register, so that one load serves four steps along the depth.
  static var multipliesLanes: Bool { get }

  /// Whether the registers can hold the inputs of a depthwise window's row that adjacent outputs share.
  static var keepsWindowRows: Bool { get }

  /// Returns `a * b + c`, fused if the hardware has an instruction for it.
  static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F
  /// Returns `a + b`, for trees of sums. The optimizer splits a tree of `+` into lanes, and reassembles only parts of it.
  static func add(_ a: F, _ b: F) -> F
  /// Returns `a > b ? a : b` for every lane, which is `b` if either is NaN.
  static func maximum(_ a: F, _ b: F) -> F
  /// Returns `a < b ? a : b` for every lane, which is `b` if either is NaN.
  static func minimum(_ a: F, _ b: F) -> F

  static func maximum(_ a: I, _ b: I) -> I
  static func minimum(_ a: I, _ b: I) -> I

  /// Clamps every lane to `lower … upper`. NaN becomes `lower`. The sign of a zero result is unspecified.
  static func bounded(_ x: F, _ lower: F, _ upper: F) -> F

  /// Selects one of two values for each lane by the sign bit of another vector.
  static func select(signOf x: F, negative: F, positive: F) -> F
  static func squareRoot(_ x: F) -> F
  /// Returns `1 / √x` with the accuracy of the CPU's estimate.
  static func estimatedReciprocalSquareRoot(_ x: F) -> F
  /// Returns `1 / (1 + e^-x)`.
  static func logistic(_ x: F) -> F
  /// Returns the sum of all lanes, by adding halves of the vector, then halves of the result, down to one lane.
  static func sumOfHalves(_ x: F) -> Float

  /// Converts each lane to the nearest integer, ties to even. NaN and values that don't fit in Int32 become Int32.min.
  static func toInt(_ x: F) -> I
  /// The same, with unspecified results for NaN and for values that don't fit in Int32.
  static func toIntInRange(_ x: F) -> I
  /// The same as `toIntInRange`, but rounds half away from zero.
  static func toIntAwayFromZero(_ x: F) -> I
  /// Converts each lane by truncation. NaN and values that don't fit in Int32 become Int32.min.
  static func toIntTruncating(_ x: F) -> I
  static func toFloat(_ x: I) -> F

  /// Returns `x` with zeros in all lanes from `count` on.
  static func keepingFirst(_ count: Int, _ x: F) -> F
  /// Loads one vector with the best instruction for a variable distance to the next vector.
  static func loadSingle(_ pointer: UnsafeRawPointer) -> F
  /// Loads two vectors.
  static func loadPair(_ pointer: UnsafeRawPointer) -> (F, F)
  /// Returns `pointer + bytes`, in the form in which the preceding load can advance the pointer, if that is fastest.
  static func advanced(_ pointer: UnsafeRawPointer, by bytes: Int) -> UnsafeRawPointer
  /// Loads or stores the first `count` lanes (0 … all) without accessing memory past them. Lanes that aren't loaded are
  /// 0.
  static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F
  static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer)
  static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)
  /// Stores `x0`, followed by the first `count` lanes of `x1` (0 … all).
  static func storeFirst(_ count: Int, of x1: F, behind x0: F, _ pointer: UnsafeMutableRawPointer)

  /// Returns for every lane the lane of `a`, or of `a` followed by `b`, with the index in `order`.
  static func selected(_ order: I, _ a: F) -> F
  static func selected(_ order: I, _ a: F, _ b: F) -> F

  /// Loads a byte for every lane, or for the first `count` lanes, as a value from 0 to 255.
  static func loadBytes(_ pointer: UnsafeRawPointer) -> I
  static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  /// Loads a 16-bit integer or a float16 value for every lane, or for the first `count` lanes. Lanes that aren't loaded
  /// are 0.
  static func loadInt16(_ pointer: UnsafeRawPointer) -> I
  static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  static func loadFloat16(_ pointer: UnsafeRawPointer) -> F
  /// Whether `loadFloat16` is an instruction.
  static var hasFloat16Loads: Bool { get }
  static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F
  /// Returns the maximum or minimum of the four unsigned bytes in each lane.
  static func maximumBytes(_ a: I, _ b: I) -> I
  static func minimumBytes(_ a: I, _ b: I) -> I
  /// Returns the maximum or minimum of the two 16-bit integers in each lane.
  static func maximumInt16(_ a: I, _ b: I) -> I
  static func minimumInt16(_ a: I, _ b: I) -> I
  /// Stores the low byte (or the low two bytes) of every lane, or of the first `count` lanes.
  static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)

  /// Four input bytes per lane, unsigned or signed depending on `inputOffset`, in the form that the dot product reads.
  associatedtype InputBytes
  /// Four signed weight bytes per lane, in the form that the dot product reads.
  associatedtype WeightBytes
  /// Returns input bytes for the dot product. `flip` is 0x80808080 in every lane to convert signed bytes to unsigned
  /// bytes 128 higher, or back; otherwise 0. (It is subtracted as bytes, which is the same as an exclusive or. The
  /// optimizer would move an exclusive or before the broadcast, which is slower.)
  static func inputBytes(_ x: I, flip: I) -> InputBytes
  static func weightBytes(_ x: I) -> WeightBytes
  /// Whether the flip from signed to unsigned bytes takes issue slots of products, so that flipping in advance is
  /// faster.
  static var flipsDelayProducts: Bool { get }
  /// Whether tiles are smaller, because `InputBytes` and `WeightBytes` take several registers each, or there are few.
  static var splitsBytes: Bool { get }
  /// Whether the most common windows of bytes get loops with constant bounds. The portable kernels stay small without.
  static var hasLoopsForCommonWindows: Bool { get }
  /// Whether `dot` is a single instruction, so that sums wait for each other and not for its parts.
  static var hasDotInstruction: Bool { get }
  /// The amount by which unsigned input bytes exceed the values that `dot` reads: 128 if it multiplies only signed
  /// bytes.
  static var inputOffset: Int32 { get }
  /// The number of consecutive bytes of a column that are adjacent in a panel of packed weights; a multiple of four.
  static var groupBytes: Int { get }
  /// Adds the exact sum of its four int8 products to each lane.
  static func dot(_ sum: I, _ input: InputBytes, _ weights: WeightBytes) -> I

  /// The size of an unsigned input byte in a copied row: 2 if products read 16 bits, otherwise 1.
  static var copiedByteSize: Int { get }
  /// Stores input bytes in the form for copied rows, four per lane. `flip` is the same as for `inputBytes`.
  static func storeCopies(_ x: I, flip: I, _ pointer: UnsafeMutableRawPointer)
  /// Stores four unsigned input bytes in the form for copied rows.
  static func storeCopy(_ x: Int32, _ pointer: UnsafeMutableRawPointer)
  /// Returns four bytes of a copied row in every lane.
  static func copiedInput(_ pointer: UnsafeRawPointer) -> InputBytes

  /// Adds to each lane the sum of the products of its four bytes from 0 to 15 with signed bytes.
  static func dot(_ sum: I, halfBytes: I, _ signed: I) -> I

  /// One byte for every column of a panel.
  associatedtype PanelBytes: SIMD
  /// Narrows two rows of a panel, two vectors each, to bytes. The steps are: saturate to 16 bits, add `zeroPoint`
  /// (16-bit values) with saturation, saturate to signed bytes, clamp to `lower … upper` (bytes), and exclusive or with
  /// `flip` (bytes; 0x80 for unsigned).
  static func saturatedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes)
  /// The same for lanes that are within the limits.
  static func boundedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes)
  static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer)

  /// One byte per lane.
  associatedtype ByteRow
  /// Loads all bytes, or the first `count` (0 … all). Bytes that aren't loaded are 0.
  static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow
  static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow
  /// Returns one byte of each row per lane, with the byte of `a` lowest.
  static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I
  /// Returns the bytes of a panel's second vector in the position of the first vector's bytes.
  static func secondHalf(_ x: PanelBytes) -> PanelBytes
  /// Returns the bytes of four rows in the form for dot products of rows, one lane per column. The first vector
  /// contains the first four of every sixteen columns, and so on.
  static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I)
  /// Narrows vectors in the order of `interleavedRows` to a row of bytes, with the steps of `saturatedBytes`.
  static func saturatedRow(_ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I) -> I
  /// Stores the bytes of a panel's first and second vectors to two locations.
  static func storePixels(_ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer)

  /// Returns `(a * b + 2^30) >> 31` on 64-bit products, which is the rounding doubling high product of the reference
  /// kernels. That one saturates only for two lanes of Int32.min, which multipliers never are.
  static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I

  /// Returns `(256 * high + low + term) * factor` in double precision, with a term and a factor per lane, rounded half up
  /// or half away from zero. Results are limited to ±2²⁰; NaN becomes -2²⁰.
  static func scaledSums(
    _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
  ) -> I

  /// Returns the elements of a table at the indices in all lanes.
  static func elements(of table: UnsafePointer<Int32>, at indices: I) -> I

  /// Returns lanes of `x` by their indices, which must be within the vector.
  static func permuted(_ x: I, _ indices: I) -> I

  /// Returns the index of each lane, starting at 0.
  static func ramp() -> I
  static func largest(_ x: I) -> Int32
  /// Returns the largest lane of each of four vectors without NaN.
  static func largest(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float>
  /// Returns the sum of all lanes, wrapping.
  static func sum(_ x: I) -> Int32
  /// Returns the sums of the lanes of four vectors, wrapping.
  static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32>
  /// Returns the sums of the lanes of four vectors. The order of additions is the same for all four.
  static func sums(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float>

  /// Replaces bytes by their entries in a table of 256 entries, starting at the first byte, for as many as fill full
  /// vectors. Returns their number, which is 0 if a scalar loop is fastest. `output` may be `input`.
  static func lookUpVectors(
    count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  ) -> Int
}

extension VectorISA {
  @inline(__always) static var lanes: Int { MemoryLayout<F>.size / 4 }
  @inline(__always) static var vectorBytes: Int { MemoryLayout<F>.size }
  /// The number of columns in a panel of packed weights. A tile is two vectors wide.
  @inline(__always) static var panelColumns: Int { 2 &* lanes }

  @inline(__always) static var multipliesLanes: Bool { false }

  @inline(__always) static var keepsWindowRows: Bool { false }

  @inline(__always) static var hasLoopsForCommonWindows: Bool { true }

  @inline(__always) static var groupBytes: Int { 4 }

  @inline(__always)
  static func storeFirst(_ count: Int, of x1: F, behind x0: F, _ pointer: UnsafeMutableRawPointer) {
    store(x0, pointer)
    storeFirst(count, x1, pointer + vectorBytes)
  }

  // Only kernels with 16 lanes select lanes.
  @inline(__always) static func selected(_ order: I, _ a: F) -> F { a }
  @inline(__always) static func selected(_ order: I, _ a: F, _ b: F) -> F { a }

  @inline(__always) static var hasFloat16Loads: Bool { true }

  @inline(__always) static var inputOffset: Int32 { 0 }

  @inline(__always) static var copiedByteSize: Int { 1 }

  @inline(__always) static func storeCopies(_ x: I, flip: I, _ pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: x ^ flip, as: I.self)
  }

  @inline(__always) static func storeCopy(_ x: Int32, _ pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: x, as: Int32.self)
  }

  @inline(__always) static func copiedInput(_ pointer: UnsafeRawPointer) -> InputBytes {
    inputBytes(splat(pointer.loadUnaligned(as: Int32.self)), flip: splat(inputFlip(0)))
  }

  @inline(__always) static var hasDotInstruction: Bool { false }

  /// Whether dot products read weights in another form than the packed one. Then depthwise convolutions expand them once,
  /// in memory that plans reserve only in that case.
  @inline(__always) static var expandsWeights: Bool { MemoryLayout<WeightBytes>.size != vectorBytes }

  /// Loads weights that are stored as dot products read them.
  @inline(__always) static func loadWeights(_ pointer: UnsafeRawPointer) -> WeightBytes {
    pointer.loadUnaligned(as: WeightBytes.self)
  }

  /// Stores `count` vectors of weight bytes as dot products read them.
  @inline(__always)
  static func expandWeights(_ packed: UnsafeRawPointer, count: Int, to target: UnsafeMutableRawPointer) {
    var index = 0
    while index < count {
      (target + index &* MemoryLayout<WeightBytes>.size).storeBytes(
        of: weightBytes(loadInts(packed, index)), as: WeightBytes.self)
      index &+= 1
    }
  }

  @inline(__always) static func dot(_ sum: I, halfBytes: I, _ signed: I) -> I {
    dot(sum, inputBytes(halfBytes, flip: I()), weightBytes(signed))
  }

  @inline(__always) static var flipsDelayProducts: Bool { false }

  /// Returns the flip that converts input bytes to the bytes that `dot` reads. `flip` converts them to unsigned bytes.
  @inline(__always) static func inputFlip(_ flip: Int32) -> Int32 {
    inputOffset == 0 ? flip : flip ^ Int32(bitPattern: 0x8080_8080)
  }

  /// Returns the largest lane. Ignores NaN. Uses four chains, because the number of lanes is a multiple of four.
  @inline(__always) static func largest(_ x: F) -> Float {
    @inline(__always) func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
    var a = x[0], b = x[1], c = x[2], d = x[3]
    var lane = 4
    while lane < lanes {
      a = larger(x[lane], a)
      b = larger(x[lane &+ 1], b)
      c = larger(x[lane &+ 2], c)
      d = larger(x[lane &+ 3], d)
      lane &+= 4
    }
    return larger(larger(a, b), larger(c, d))
  }

  /// Returns the sum of all lanes, in four chains.
  @inline(__always) static func sum(_ x: F) -> Float {
    var a = x[0], b = x[1], c = x[2], d = x[3]
    var lane = 4
    while lane < lanes {
      a += x[lane]
      b += x[lane &+ 1]
      c += x[lane &+ 2]
      d += x[lane &+ 3]
      lane &+= 4
    }
    return (a + b) + (c + d)
  }

  @inline(__always) static func sums(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
    SIMD4(sum(a), sum(b), sum(c), sum(d))
  }

  @inline(__always) static func largest(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
    SIMD4(largest(a), largest(b), largest(c), largest(d))
  }

  @inline(__always) static func boundedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes) {
    saturatedBytes(a0, a1, b0, b1, zeroPoint: zeroPoint, lower: lower, upper: upper, flip: flip)
  }

  @inline(__always) static func bits(_ x: F) -> I { unsafeBitCast(x, to: I.self) }
  @inline(__always) static func floats(_ x: I) -> F { unsafeBitCast(x, to: F.self) }

  /// Returns `x`, which is nonnegative, with the sign of `sign`.
  @inline(__always) static func withSign(of sign: F, _ x: F) -> F { floats(bits(x) | (bits(sign) & splat(Int32.min))) }

  /// The implementation in memory.
  @inline(__always) static func permuted(_ x: I, _ indices: I) -> I {
    var x = x, result = indices
    withUnsafeBytes(of: &x) { from in
      withUnsafeMutableBytes(of: &result) { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        var lane = 0
        while lane < vectorBytes {
          let index = Int(to.load(fromByteOffset: lane, as: Int32.self)) & (lanes &- 1)
          to.storeBytes(of: from.load(fromByteOffset: index &* 4, as: Int32.self), toByteOffset: lane, as: Int32.self)
          lane &+= 4
        }
      }
    }
    return result
  }

  @inline(__always) static func splat(_ x: Float) -> F { F(repeating: x) }

  @inline(__always) static func load(_ pointer: UnsafeRawPointer) -> F { pointer.loadUnaligned(as: F.self) }

  /// Loads the `index`-th vector at `pointer`.
  @inline(__always) static func load(_ pointer: UnsafeRawPointer, _ index: Int) -> F {
    pointer.loadUnaligned(fromByteOffset: index &* vectorBytes, as: F.self)
  }

  @inline(__always) static func loadSingle(_ pointer: UnsafeRawPointer) -> F { load(pointer) }

  @inline(__always) static func loadPair(_ pointer: UnsafeRawPointer) -> (F, F) { (load(pointer, 0), load(pointer, 1)) }

  @inline(__always) static func advanced(_ pointer: UnsafeRawPointer, by bytes: Int) -> UnsafeRawPointer {
    pointer + bytes
  }

  @inline(__always) static func store(_ x: F, _ pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: x, as: F.self)
  }

  @inline(__always) static func splat(_ x: Int32) -> I { I(repeating: x) }

  @inline(__always) static func loadInts(_ pointer: UnsafeRawPointer) -> I { pointer.loadUnaligned(as: I.self) }

  @inline(__always) static func loadInts(_ pointer: UnsafeRawPointer, _ index: Int) -> I {
    pointer.loadUnaligned(fromByteOffset: index &* vectorBytes, as: I.self)
  }

  @inline(__always) static func store(_ x: I, _ pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: x, as: I.self)
  }

  @inline(__always) static func estimatedReciprocalSquareRoot(_ x: F) -> F { splat(1) / squareRoot(x) }

  /// The implementation for four lanes, or for eight lanes if vectors are pairs of registers.
  @inline(__always) static func sumOfHalves(_ x: F) -> Float {
    let (a, b) = lanes == 4 ? (x[0], x[1]) : (x[0] + x[4], x[1] + x[5])
    let (c, d) = lanes == 4 ? (x[2], x[3]) : (x[2] + x[6], x[3] + x[7])
    return (a + c) + (b + d)
  }

  @inline(__always) static func toIntInRange(_ x: F) -> I { toInt(x) }

  /// Adding the largest float below one half and truncating doesn't round 0.49999997 up.
  @inline(__always) static func toIntAwayFromZero(_ x: F) -> I {
    toIntTruncating(x + withSign(of: x, splat(0x1.fffffep-2)))
  }

  @inline(__always) static func bounded(_ x: F, _ lower: F, _ upper: F) -> F { minimum(maximum(x, lower), upper) }

  @inline(__always) static func clamp(_ x: I, _ lower: I, _ upper: I) -> I { minimum(upper, maximum(lower, x)) }

  /// Clamps every lane to `lower … upper`. NaN stays NaN, as in the reference's `min(max(x, lower), upper)`.
  @inline(__always) static func clamp(_ x: F, _ lower: F, _ upper: F) -> F {
    minimum(upper, maximum(lower, x))
  }
}

#if SWIFTLET_AVX2
  extension VectorISA {
    /// Stores the first `count` floats, fewer than a vector, in up to three parts. AMD CPUs without AVX-512 take about 19
    /// cycles for a masked store.
    @inline(__always)
    static func storeParts(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      let x = unsafeBitCast(x, to: SIMD4<Int64>.self)
      @inline(__always) func store(_ half: SIMD2<Int64>, _ pointer: UnsafeMutableRawPointer) {
        if count & 2 != 0 {
          pointer.storeBytes(of: half.x, as: Int64.self)
          if count & 1 != 0 { (pointer + 8).storeBytes(of: Int32(truncatingIfNeeded: half.y), as: Int32.self) }
        } else if count & 1 != 0 {
          pointer.storeBytes(of: Int32(truncatingIfNeeded: half.x), as: Int32.self)
        }
      }
      if count & 4 != 0 {
        pointer.storeBytes(of: x.lowHalf, as: SIMD2<Int64>.self)
        store(x.highHalf, pointer + 16)
      } else {
        store(x.lowHalf, pointer)
      }
    }
  }
#endif

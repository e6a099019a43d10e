/// The vocabulary in which every kernel is written: what one instruction set can do with one vector register.
///
/// Kernels are generic over it, forced inline, and reach arithmetic only through its members, because several
/// standard-library operations on SIMD types (comparisons, minimum, conversion, narrowing) compile to a loop over
/// lanes, often with calls, when they are reached from generic code. Each conformer writes them on concrete types.
/// Loads, stores, splats, `+ - *` and wrapping integer arithmetic are safe in generic code and are used directly.
protocol VectorISA {
  /// One register of float32 lanes.
  associatedtype F: SIMD where F.Scalar == Float
  /// One register of int32 lanes, as many as `F` has.
  associatedtype I: SIMD where I.Scalar == Int32

  /// Rows of a matrix-multiplication tile: two accumulators for each, next to two weights and one input, fit the
  /// registers.
  static var tileRows: Int { get }

  /// The same for bytes.
  static var quantizedTileRows: Int { get }

  /// Whether a product takes one lane of a register as every lane of its input, so that one load serves four steps along
  /// the depth.
  static var multipliesLanes: Bool { get }

  /// Whether registers are enough for the inputs of a depthwise window's row, shared by neighboring outputs.
  static var keepsWindowRows: Bool { get }

  /// `a * b + c`, fused where the hardware does it in one instruction.
  static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F
  /// `a > b ? a : b` in every lane, so `b` where either is NaN.
  static func maximum(_ a: F, _ b: F) -> F
  /// `a < b ? a : b` in every lane, so `b` where either is NaN.
  static func minimum(_ a: F, _ b: F) -> F

  static func maximum(_ a: I, _ b: I) -> I
  static func minimum(_ a: I, _ b: I) -> I

  /// Limits every lane to `lower … upper`; NaN becomes `lower`. Which of two equal zeros it gives is left open.
  static func bounded(_ x: F, _ lower: F, _ upper: F) -> F

  /// One of two values for each lane by the sign bit of another.
  static func select(signOf x: F, negative: F, positive: F) -> F
  static func squareRoot(_ x: F) -> F
  /// `1 / √x` to as many bits as the processor estimates.
  static func estimatedReciprocalSquareRoot(_ x: F) -> F
  /// `1 / (1 + e^-x)`.
  static func logistic(_ x: F) -> F
  /// The sum of all lanes: of the vector's halves, then of the halves of that, down to one.
  static func sumOfHalves(_ x: F) -> Float

  /// Each lane to the nearest integer, ties to even; Int32.min for NaN and for what Int32 cannot hold.
  static func toInt(_ x: F) -> I
  /// The same where it does not matter what becomes of NaN and of what Int32 cannot hold.
  static func toIntInRange(_ x: F) -> I
  /// That with halves away from zero.
  static func toIntAwayFromZero(_ x: F) -> I
  /// Each lane towards zero, as `toInt`.
  static func toIntTruncating(_ x: F) -> I
  static func toFloat(_ x: I) -> F

  /// `x` with all lanes from `count` on zero.
  static func keepingFirst(_ count: Int, _ x: F) -> F
  /// Loads one vector, by the instruction that is best where the distance to the next is not a constant.
  static func loadSingle(_ pointer: UnsafeRawPointer) -> F
  /// Loads two vectors.
  static func loadPair(_ pointer: UnsafeRawPointer) -> (F, F)
  /// `pointer + bytes` where that is best a step of the pointer's own, made by the load before.
  static func advanced(_ pointer: UnsafeRawPointer, by bytes: Int) -> UnsafeRawPointer
  /// Loads or stores the first `count` lanes (0 … all of them) and touches nothing behind them; lanes not loaded are 0.
  static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F
  static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer)
  static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)

  /// Loads a byte for every lane, or for the first `count` lanes, as a number from 0 to 255.
  static func loadBytes(_ pointer: UnsafeRawPointer) -> I
  static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  /// Loads a 16-bit integer, or a 16-bit float, for every lane or for the first `count` lanes; lanes not loaded are 0.
  static func loadInt16(_ pointer: UnsafeRawPointer) -> I
  static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I
  static func loadFloat16(_ pointer: UnsafeRawPointer) -> F
  static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F
  /// Of the four unsigned bytes in each lane.
  static func maximumBytes(_ a: I, _ b: I) -> I
  static func minimumBytes(_ a: I, _ b: I) -> I
  /// Stores the low byte (or the low two bytes) of every lane, or of the first `count` lanes.
  static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer)
  static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)

  /// Four input bytes in each lane, unsigned or signed by `inputOffset`, in the form the dot product takes them.
  associatedtype InputBytes
  /// Four signed weight bytes in each lane, in the form the dot product takes them.
  associatedtype WeightBytes
  /// `flip` is 0x80808080 in every lane to turn signed bytes into unsigned ones 128 higher, or back, or 0. (It is
  /// subtracted as bytes, which is the same as exclusive or: the optimizer would move that in front of the broadcast,
  /// and pay for it.)
  static func inputBytes(_ x: I, flip: I) -> InputBytes
  static func weightBytes(_ x: I) -> WeightBytes
  /// Whether turning signed bytes into unsigned ones takes the place of products, so that it pays to have done it before.
  static var flipsDelayProducts: Bool { get }
  /// Whether `InputBytes` and `WeightBytes` take several registers each, so that tiles must be smaller.
  static var splitsBytes: Bool { get }
  /// Whether `dot` is one instruction, so that sums wait for each other and not for its parts.
  static var hasDotInstruction: Bool { get }
  /// How much higher unsigned input bytes are than what `dot` takes them for: 128 where it multiplies signed bytes only.
  static var inputOffset: Int32 { get }
  /// How many neighboring bytes of a column lie side by side in a panel of packed weights, a multiple of four.
  static var groupBytes: Int { get }
  /// Adds to each lane the exact sum of its four int8 products.
  static func dot(_ sum: I, _ input: InputBytes, _ weights: WeightBytes) -> I

  /// One byte for every column of a panel.
  associatedtype PanelBytes: SIMD
  /// Two rows of a panel, two vectors each, narrowed to bytes: saturated to 16 bits, plus `zeroPoint` (16-bit values)
  /// saturating, saturated to signed bytes, limited to `lower … upper` (bytes), exclusive or `flip` (bytes; 0x80 for
  /// unsigned).
  static func saturatedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes)
  /// The same where all lanes are within the limits already.
  static func boundedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes)
  static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer)

  /// As many bytes as there are lanes.
  associatedtype ByteRow
  /// Loads all of them, or the first `count` (0 … all); bytes not loaded are 0.
  static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow
  static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow
  /// One byte of each row in every lane, that of `a` lowest.
  static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I
  /// The bytes of a panel's second vector in place of those of its first.
  static func secondHalf(_ x: PanelBytes) -> PanelBytes
  /// The bytes of four rows as dot products of rows take them, one lane for a column. Of every sixteen columns the
  /// first vector has the first four, and so on.
  static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I)
  /// Vectors in the order of `interleavedRows` narrowed to a row of bytes, as `saturatedBytes` does it.
  static func saturatedRow(_ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I) -> I
  /// Stores the bytes of a panel's first vector to one place and those of its second to another.
  static func storePixels(_ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer)

  /// `(a * b + 2^30) >> 31` on 64-bit products: the rounding doubling high product of the reference kernels, which
  /// saturates only for two lanes of Int32.min; multipliers are never that.
  static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I

  /// The number of each lane, from 0.
  static func ramp() -> I
  static func largest(_ x: I) -> Int32
  /// The sum of all lanes, wrapping.
  static func sum(_ x: I) -> Int32
  /// The sums of four vectors' lanes, wrapping.
  static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32>

  /// Replaces bytes by their entries in a table of 256, as many from the first on as make whole vectors, and returns
  /// how many: 0 where there is nothing faster than one byte after the other. `output` may be `input`.
  static func lookUpVectors(
    count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
  ) -> Int
}

extension VectorISA {
  @inline(__always) static var lanes: Int { MemoryLayout<F>.size / 4 }
  @inline(__always) static var vectorBytes: Int { MemoryLayout<F>.size }
  /// Columns of one panel of packed weights: a tile is two vectors wide.
  @inline(__always) static var panelColumns: Int { 2 &* lanes }

  @inline(__always) static var multipliesLanes: Bool { false }

  @inline(__always) static var keepsWindowRows: Bool { false }

  @inline(__always) static var groupBytes: Int { 4 }

  @inline(__always) static var inputOffset: Int32 { 0 }

  @inline(__always) static var hasDotInstruction: Bool { false }

  @inline(__always) static var flipsDelayProducts: Bool { false }

  /// What turns input bytes into those that `dot` takes, where `flip` would turn them into unsigned ones.
  @inline(__always) static func inputFlip(_ flip: Int32) -> Int32 {
    inputOffset == 0 ? flip : flip ^ Int32(bitPattern: 0x8080_8080)
  }

  @inline(__always) static func boundedBytes(
    _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
  ) -> (PanelBytes, PanelBytes) {
    saturatedBytes(a0, a1, b0, b1, zeroPoint: zeroPoint, lower: lower, upper: upper, flip: flip)
  }

  @inline(__always) static func bits(_ x: F) -> I { unsafeBitCast(x, to: I.self) }
  @inline(__always) static func floats(_ x: I) -> F { unsafeBitCast(x, to: F.self) }

  /// `x`, which is not negative, with the sign of `sign`.
  @inline(__always) static func withSign(of sign: F, _ x: F) -> F { floats(bits(x) | (bits(sign) & splat(Int32.min))) }

  @inline(__always) static func splat(_ x: Float) -> F { F(repeating: x) }

  @inline(__always) static func load(_ pointer: UnsafeRawPointer) -> F { pointer.loadUnaligned(as: F.self) }

  /// The `index`-th vector behind `pointer`.
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

  /// Of four lanes; of eight where vectors are pairs of registers.
  @inline(__always) static func sumOfHalves(_ x: F) -> Float {
    let (a, b) = lanes == 4 ? (x[0], x[1]) : (x[0] + x[4], x[1] + x[5])
    let (c, d) = lanes == 4 ? (x[2], x[3]) : (x[2] + x[6], x[3] + x[7])
    return (a + c) + (b + d)
  }

  @inline(__always) static func toIntInRange(_ x: F) -> I { toInt(x) }

  /// Adding the float below one half and truncating does not round 0.49999997 up.
  @inline(__always) static func toIntAwayFromZero(_ x: F) -> I {
    toIntTruncating(x + withSign(of: x, splat(0x1.fffffep-2)))
  }

  @inline(__always) static func bounded(_ x: F, _ lower: F, _ upper: F) -> F { minimum(maximum(x, lower), upper) }

  @inline(__always) static func clamp(_ x: I, _ lower: I, _ upper: I) -> I { minimum(upper, maximum(lower, x)) }

  /// Limits every lane to `lower … upper`; NaN stays NaN, as in `min(max(x, lower), upper)` of the reference.
  @inline(__always) static func clamp(_ x: F, _ lower: F, _ upper: F) -> F {
    minimum(upper, maximum(lower, x))
  }
}

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

  /// Rows of a matrix-multiplication tile: two accumulators for each, beside two weights and one input, fit the registers.
  static var tileRows: Int { get }

  /// `a * b + c`, fused where the hardware does it in one instruction.
  static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F
  /// `a > b ? a : b` in every lane, so `b` where either is NaN.
  static func maximum(_ a: F, _ b: F) -> F
  /// `a < b ? a : b` in every lane, so `b` where either is NaN.
  static func minimum(_ a: F, _ b: F) -> F

  /// Stores the first `count` lanes (0 … all of them) and touches nothing behind them.
  static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer)
}

extension VectorISA {
  @inline(always) static var lanes: Int { MemoryLayout<F>.size / 4 }
  @inline(always) static var vectorBytes: Int { MemoryLayout<F>.size }
  /// Columns of one panel of packed weights: a tile is two vectors wide.
  @inline(always) static var panelColumns: Int { 2 &* lanes }

  @inline(always) static func splat(_ x: Float) -> F { F(repeating: x) }

  @inline(always) static func load(_ pointer: UnsafeRawPointer) -> F { pointer.loadUnaligned(as: F.self) }

  /// The `index`-th vector behind `pointer`.
  @inline(always) static func load(_ pointer: UnsafeRawPointer, _ index: Int) -> F {
    pointer.loadUnaligned(fromByteOffset: index &* vectorBytes, as: F.self)
  }

  @inline(always) static func store(_ x: F, _ pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: x, as: F.self)
  }

  /// Limits every lane to `lower … upper`; NaN stays NaN, as in `min(max(x, lower), upper)` of the reference.
  @inline(always) static func clamp(_ x: F, _ lower: F, _ upper: F) -> F {
    minimum(upper, maximum(lower, x))
  }
}

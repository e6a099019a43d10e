/// One step of a GEMM along the depth: 32 bits of an input row by one vector of packed weights.
protocol GemmProduct {
  associatedtype V: GemmISA
  associatedtype Input
  associatedtype Weights

  /// Whether 32 bits contain two elements. If so, the last step of a tap may have only one.
  static var isPaired: Bool { get }
  /// Whether `TransposedFloats` computes the same products.
  static var isTransposable: Bool { get }
  /// Returns the 32 bits at `pointer` in every lane.
  static func input(_ pointer: UnsafeRawPointer) -> Input
  /// The 32 bits of each of four steps.
  associatedtype Inputs
  static func inputs(_ pointer: UnsafeRawPointer) -> Inputs
  /// Returns the 32 bits of one of the four steps in every lane.
  static func input(_ inputs: Inputs, _ step: Int) -> Input
  /// Returns the single element at `pointer` as the first of a pair with zero, without reading past it.
  static func singleInput(_ pointer: UnsafeRawPointer) -> Input
  /// Returns the `index`-th vector at `pointer`.
  static func weights(_ pointer: UnsafeRawPointer, _ index: Int) -> Weights
  /// Returns the first two vectors at `pointer`.
  static func weightPair(_ pointer: UnsafeRawPointer) -> (Weights, Weights)
  static func add(_ sum: V.F, _ input: Input, _ weights: Weights) -> V.F
  /// Adds the product with the 32 bits at `input` in every lane, for input that is used only once.
  static func add(_ sum: V.F, at input: UnsafeRawPointer, _ weights: Weights) -> V.F
}

extension GemmProduct {
  /// Returns the number of steps over a tap of `tapDepth` elements, including the step for a single last element.
  @inline(__always) static func steps(_ tapDepth: Int) -> Int { isPaired ? (tapDepth &+ 1) &>> 1 : tapDepth }
  @inline(__always) static func weightPair(_ pointer: UnsafeRawPointer) -> (Weights, Weights) {
    (weights(pointer, 0), weights(pointer, 1))
  }
  /// Returns the number of steps that read all 32 bits of input.
  @inline(__always) static func wholeSteps(_ tapDepth: Int) -> Int { isPaired ? tapDepth &>> 1 : tapDepth }
}

/// Float32 by float32, one product per step.
enum Float32Product<V: GemmISA>: GemmProduct {
  @inline(__always) static var isPaired: Bool { false }
  @inline(__always) static var isTransposable: Bool { true }
  @inline(__always) static func input(_ pointer: UnsafeRawPointer) -> V.F {
    V.splat(pointer.loadUnaligned(as: Float.self))
  }
  @inline(__always) static func inputs(_ pointer: UnsafeRawPointer) -> SIMD4<Float> {
    pointer.loadUnaligned(as: SIMD4<Float>.self)
  }
  @inline(__always) static func input(_ inputs: SIMD4<Float>, _ step: Int) -> V.F { V.splat(inputs[step]) }
  @inline(__always) static func singleInput(_ pointer: UnsafeRawPointer) -> V.F { input(pointer) }
  @inline(__always) static func weights(_ pointer: UnsafeRawPointer, _ index: Int) -> V.F { V.load(pointer, index) }
  @inline(__always) static func weightPair(_ pointer: UnsafeRawPointer) -> (V.F, V.F) { V.loadPair(pointer) }
  @inline(__always) static func add(_ sum: V.F, _ input: V.F, _ weights: V.F) -> V.F {
    V.multiplyAdd(input, weights, sum)
  }
  @inline(__always) static func add(_ sum: V.F, at input: UnsafeRawPointer, _ weights: V.F) -> V.F {
    add(sum, self.input(input), weights)
  }
}

/// Bfloat16 by bfloat16, two products per step.
enum BFloat16Product<V: BFloat16DotISA>: GemmProduct {
  @inline(__always) static var isPaired: Bool { true }
  @inline(__always) static var isTransposable: Bool { false }
  @inline(__always) static func input(_ pointer: UnsafeRawPointer) -> V.I {
    V.splat(pointer.loadUnaligned(as: Int32.self))
  }
  @inline(__always) static func inputs(_ pointer: UnsafeRawPointer) -> SIMD4<Int32> {
    pointer.loadUnaligned(as: SIMD4<Int32>.self)
  }
  @inline(__always) static func input(_ inputs: SIMD4<Int32>, _ step: Int) -> V.I { V.splat(inputs[step]) }
  @inline(__always) static func singleInput(_ pointer: UnsafeRawPointer) -> V.I {
    V.splat(Int32(pointer.loadUnaligned(as: UInt16.self)))
  }
  @inline(__always) static func weights(_ pointer: UnsafeRawPointer, _ index: Int) -> V.I { V.loadInts(pointer, index) }
  @inline(__always) static func add(_ sum: V.F, _ input: V.I, _ weights: V.I) -> V.F {
    V.addDotProducts(sum, input, weights)
  }
  @inline(__always) static func add(_ sum: V.F, at input: UnsafeRawPointer, _ weights: V.I) -> V.F {
    V.addDotProducts(sum, input, weights)
  }
}

/// How input elements become float lanes.
protocol DepthwiseElement {
  associatedtype V: VectorISA
  static var bytes: Int { get }
  func load(_ pointer: UnsafeRawPointer) -> V.F
  func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F
}

struct FloatElement<V: VectorISA>: DepthwiseElement {
  @inline(always) static var bytes: Int { 4 }
  @inline(always) func load(_ pointer: UnsafeRawPointer) -> V.F { V.load(pointer) }
  @inline(always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F { V.loadFirst(count, pointer) }
}

/// What becomes of the sums of one output pixel from one channel on.
protocol DepthwiseEpilogue {
  associatedtype V: VectorISA
  /// The value sums start from.
  func start(channel: Int) -> V.F
  func startFirst(_ count: Int, channel: Int) -> V.F
  func store(_ x: V.F, element: Int, channel: Int)
  func storeFirst(_ count: Int, _ x: V.F, element: Int, channel: Int)
}

struct FloatEpilogue<V: VectorISA>: DepthwiseEpilogue {
  let bias: UnsafePointer<Float>?
  let output: UnsafeMutablePointer<Float>
  let lower: Float
  let upper: Float

  @inline(always) func start(channel: Int) -> V.F {
    guard let bias else { return V.F() }
    return V.load(bias + channel)
  }
  @inline(always) func startFirst(_ count: Int, channel: Int) -> V.F {
    guard let bias else { return V.F() }
    return V.loadFirst(count, bias + channel)
  }
  @inline(always) func store(_ x: V.F, element: Int, channel: Int) {
    V.store(V.clamp(x, V.splat(lower), V.splat(upper)), output + element)
  }
  @inline(always) func storeFirst(_ count: Int, _ x: V.F, element: Int, channel: Int) {
    V.storeFirst(count, V.clamp(x, V.splat(lower), V.splat(upper)), output + element)
  }
}

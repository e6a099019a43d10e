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

/// Bytes less their zero point. Products of two such values, and sums of up to 256 of them, are exact in float.
struct ByteElement<V: VectorISA>: DepthwiseElement {
  @inline(always) static var bytes: Int { 1 }
  /// 0x80 in every lane for signed bytes, which are read as unsigned ones 128 higher, else 0.
  let flip: V.I
  /// Of the bytes as they are read.
  let zeroPoint: V.F

  @inline(always)
  init(isSigned: Bool, zeroPoint: Int32) {
    flip = V.splat(isSigned ? 0x80 : 0)
    self.zeroPoint = V.splat(Float(isSigned ? zeroPoint &+ 128 : zeroPoint))
  }

  @inline(always) func load(_ pointer: UnsafeRawPointer) -> V.F {
    V.toFloat(V.loadBytes(pointer) ^ flip) - zeroPoint
  }
  @inline(always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F {
    V.toFloat(V.loadFirstBytes(count, pointer) ^ flip) - zeroPoint
  }
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

/// Adds the integer bias and stores 32-bit accumulators, or scales them in float, rounds to nearest even and stores bytes.
struct ByteEpilogue<V: VectorISA>: DepthwiseEpilogue {
  let bias: UnsafePointer<Int32>?
  /// Nil to store accumulators.
  let scales: UnsafePointer<Float>?
  let output: UnsafeMutableRawPointer
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32

  @inline(always) func start(channel: Int) -> V.F { V.F() }
  @inline(always) func startFirst(_ count: Int, channel: Int) -> V.F { V.F() }

  @inline(always) func store(_ x: V.F, element: Int, channel: Int) {
    var sum = V.toInt(x)
    if let bias { sum = sum &+ V.loadInts(bias + channel) }
    if let scales {
      V.storeBytes(requantized(sum, V.load(scales + channel)), output + element)
    } else {
      V.store(sum, output + element &* 4)
    }
  }
  @inline(always) func storeFirst(_ count: Int, _ x: V.F, element: Int, channel: Int) {
    var sum = V.toInt(x)
    if let bias { sum = sum &+ V.loadFirstInts(count, bias + channel) }
    if let scales {
      V.storeFirstBytes(count, requantized(sum, V.loadFirst(count, scales + channel)), output + element)
    } else {
      V.storeFirst(count, sum, output + element &* 4)
    }
  }

  @inline(always) private func requantized(_ sum: V.I, _ scale: V.F) -> V.I {
    let low = V.splat(Float(lower &- zeroPoint)), high = V.splat(Float(upper &- zeroPoint))
    return V.toInt(V.clamp(V.toFloat(sum) * scale, low, high)) &+ V.splat(zeroPoint)
  }
}

struct FloatMaximumPooling<V: VectorISA>: PoolingRule {
  let lower: Float
  let upper: Float

  @inline(always) static var elementBytes: Int { 4 }
  @inline(always) var start: V.F { V.splat(-Float.greatestFiniteMagnitude) }
  @inline(always) func load(_ pointer: UnsafeRawPointer) -> V.F { V.load(pointer) }
  @inline(always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F { V.loadFirst(count, pointer) }
  /// NaN elements are passed over, as in the reference.
  @inline(always) func add(_ sum: V.F, _ x: V.F) -> V.F { V.maximum(x, sum) }
  @inline(always) func store(_ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.store(V.clamp(sum, V.splat(lower), V.splat(upper)), pointer)
  }
  @inline(always) func storeFirst(_ count: Int, _ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeFirst(count, V.clamp(sum, V.splat(lower), V.splat(upper)), pointer)
  }
}

struct FloatAveragePooling<V: VectorISA>: PoolingRule {
  let lower: Float
  let upper: Float

  @inline(always) static var elementBytes: Int { 4 }
  @inline(always) var start: V.F { V.F() }
  @inline(always) func load(_ pointer: UnsafeRawPointer) -> V.F { V.load(pointer) }
  @inline(always) func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F { V.loadFirst(count, pointer) }
  @inline(always) func add(_ sum: V.F, _ x: V.F) -> V.F { sum + x }
  @inline(always) func store(_ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.store(V.clamp(sum / V.splat(Float(taps)), V.splat(lower), V.splat(upper)), pointer)
  }
  @inline(always) func storeFirst(_ count: Int, _ sum: V.F, taps: Int, _ pointer: UnsafeMutableRawPointer) {
    V.storeFirst(count, V.clamp(sum / V.splat(Float(taps)), V.splat(lower), V.splat(upper)), pointer)
  }
}

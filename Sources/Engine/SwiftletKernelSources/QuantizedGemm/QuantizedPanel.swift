/// How packed byte weights lie in memory: for each panel of columns four rows of 32-bit values (biases with the zero
/// points folded in, weight sums, scales, float biases), then for each tap and each group of `groupBytes` channels, as
/// many bytes per column.
struct QuantizedPanel<V: VectorISA> {
  static var headerRows: Int { @inline(__always) get { 4 } }

  let pointer: UnsafeRawPointer

  @inline(__always) static func bytes(taps: Int, tapDepth: Int) -> Int {
    (headerRows &+ taps &* groups(tapDepth) &* (V.groupBytes &>> 2)) &* 2 &* V.vectorBytes
  }

  /// Groups of channels, that of the last few included.
  @inline(__always) static func groups(_ tapDepth: Int) -> Int { (tapDepth &+ V.groupBytes &- 1) / V.groupBytes }

  @inline(__always) func next(_ bytes: Int) -> QuantizedPanel { QuantizedPanel(pointer: pointer + bytes) }

  /// `half` is 0 for the first vector of columns and 1 for the second.
  @inline(__always) func bias(_ half: Int) -> V.I { V.loadInts(pointer, half) }
  @inline(__always) func weightSum(_ half: Int) -> V.I { V.loadInts(pointer, 2 &+ half) }
  @inline(__always) func scale(_ half: Int) -> V.F { V.load(pointer, 4 &+ half) }
  @inline(__always) func floatBias(_ half: Int) -> V.F { V.load(pointer, 6 &+ half) }
  @inline(__always) var weights: UnsafeRawPointer { pointer + 8 &* V.vectorBytes }
}

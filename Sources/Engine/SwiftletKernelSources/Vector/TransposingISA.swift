/// An instruction set on which tiles of few columns are fastest with one row per lane.
///
/// A quad is 16 bytes: four words of a row, or one word of four rows.
protocol TransposingISA: VectorISA {
  /// Returns the quads with indices 0, 4, … as the first vector, 1, 5, … as the second, and so on. There are as many
  /// quads as lanes.
  static func joined(_ quad: (Int) -> SIMD4<Int32>) -> (I, I, I, I)
  /// Transposes the 4 × 4 words at the same quad of the vectors.
  static func transposedWords(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I)
  /// Transposes the 4 × 4 bytes of every quad.
  static func transposedBytes(_ x: I) -> I
  /// Calls `body` with every quad of a vector and its index.
  static func forEachQuad(_ x: I, _ body: (SIMD4<Int32>, Int) -> Void)
  /// Loads the first bytes (1 … 15) without reading past them. The others are 0.
  static func loadFirstBytesOfQuad(_ count: Int, _ pointer: UnsafeRawPointer) -> SIMD4<Int32>
  /// Stores the first words (1 … 3) or the first bytes (1 … 15) without writing past them.
  static func storeFirstWords(_ count: Int, _ quad: SIMD4<Int32>, _ pointer: UnsafeMutableRawPointer)
  static func storeFirstBytes(_ count: Int, _ quad: SIMD4<Int32>, _ pointer: UnsafeMutableRawPointer)
}

// The instruction sets of the tiles that this compilation of the kernels uses.
#if SWIFTLET_AVX512
  typealias GemmISA = TransposingISA
#else
  typealias GemmISA = VectorISA
#endif

/// An instruction set with bfloat16 products. Bfloat16 values are the upper halves of float32 values. A 32-bit lane
/// contains two of them, the first in the lower half.
///
/// Products are exact, sums are float32, and denormals are flushed to zero.
protocol BFloat16ISA: GemmISA {
  /// The number of consecutive values of a column that are adjacent in a panel of packed weights; a multiple of two.
  static var bfloat16Group: Int { get }
  /// Returns the lanes of two vectors, `low` first, rounded to nearest, ties to even.
  static func roundedToBFloat16(_ low: F, _ high: F) -> I
  /// Stores the first `count` values (at most two per lane) without writing past them.
  static func storeFirstBFloat16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer)
}

/// An instruction set with dot products of bfloat16 pairs.
protocol BFloat16DotISA: BFloat16ISA {
  /// Adds the two products of each lane's pairs to the lane.
  static func addDotProducts(_ sum: F, _ a: I, _ b: I) -> F
  /// Adds the products with one pair in memory, which is broadcast to all lanes of `a`.
  static func addDotProducts(_ sum: F, _ a: UnsafeRawPointer, _ b: I) -> F
}

#if SWIFTLET_AVX512 && SWIFTLET_BFLOAT16
  import _Builtin_intrinsics.intel

  extension AVX512: BFloat16DotISA {
    @inline(__always) static var bfloat16Group: Int { 2 }
    @inline(__always) static func addDotProducts(_ sum: F, _ a: I, _ b: I) -> F {
      swiftlet_bf16_dot(sum, unsafeBitCast(a, to: SIMD8<Int64>.self), unsafeBitCast(b, to: SIMD8<Int64>.self))
    }
    @inline(__always) static func addDotProducts(_ sum: F, _ a: UnsafeRawPointer, _ b: I) -> F {
      swiftlet_bf16_dot_memory(sum, a, unsafeBitCast(b, to: SIMD8<Int64>.self))
    }
    @inline(__always) static func roundedToBFloat16(_ low: F, _ high: F) -> I {
      unsafeBitCast(swiftlet_bf16_round(low, high), to: I.self)
    }
    @inline(__always) static func storeFirstBFloat16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      _mm512_mask_storeu_epi16(
        pointer, UInt32(truncatingIfNeeded: (1 &<< count) &- 1), unsafeBitCast(x, to: SIMD8<Int64>.self))
    }
  }
#endif

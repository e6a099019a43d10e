#if SWIFTLET_NEON
  /// What turns the bytes of a row into those that are multiplied, and how they are read: sixteen at a time, then eight.
  struct RowFlip {
    private let bytes: SIMD16<UInt8>

    /// - Parameter flip: 0x80808080, or 0.
    @inline(__always)
    init(_ flip: Int32) { bytes = SIMD16(repeating: UInt8(truncatingIfNeeded: flip)) }

    @inline(__always) var isNone: Bool { bytes[0] == 0 }

    @inline(__always)
    func sixteen(_ pointer: UnsafeRawPointer, flips: Bool) -> SIMD16<UInt8> {
      let row = pointer.loadUnaligned(as: SIMD16<UInt8>.self)
      // (Of lanes of an exclusive or the optimizer would make scalar ones.)
      return flips ? row &- bytes : row
    }

    /// The first `count` bytes, or eight. What they are beyond the last does not matter: the weights there are zero.
    @inline(__always)
    func first(_ count: Int, _ pointer: UnsafeRawPointer, flips: Bool) -> SIMD8<UInt8> {
      let row = NEON.loadFirstByteRow(min(count, 8), pointer)
      return flips ? row &- bytes.lowHalf : row
    }
  }
#endif

#if SWIFTLET_NEON && SWIFTLET_BFLOAT16
  extension NEON: BFloat16ISA {
    // A matrix instruction reads four values of each row and column.
    @inline(__always) static var bfloat16Group: Int { 4 }
    @inline(__always) static func roundedToBFloat16(_ low: F, _ high: F) -> I { swiftlet_bf16_round(low, high) }
    @inline(__always) static func storeFirstBFloat16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      let first = unsafeBitCast(swiftlet_low_s32(x), to: PanelBytes.self)
      guard count >= 8 else { return storeFirst(2 &* count, first, pointer) }
      swiftlet_store_16(first, pointer)
      storeFirst(2 &* count &- 16, unsafeBitCast(swiftlet_high_s32(x), to: PanelBytes.self), pointer + 16)
    }
  }
#endif

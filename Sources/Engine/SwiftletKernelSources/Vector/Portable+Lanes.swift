#if !arch(x86_64)
  /// Operations lane by lane, which the optimizer turns into vector instructions if it can.
  extension Portable {
    @inline(__always) static func maximum(_ a: F, _ b: F) -> F {
      var result = F()
      for lane in 0..<F.scalarCount { result[lane] = a[lane] > b[lane] ? a[lane] : b[lane] }
      return result
    }

    @inline(__always) static func minimum(_ a: F, _ b: F) -> F {
      var result = F()
      for lane in 0..<F.scalarCount { result[lane] = a[lane] < b[lane] ? a[lane] : b[lane] }
      return result
    }

    @inline(__always) static func squareRoot(_ x: F) -> F { x.squareRoot() }

    @inline(__always) static func toFloat(_ x: I) -> F {
      var result = F()
      for lane in 0..<F.scalarCount { result[lane] = Float(x[lane]) }
      return result
    }

    @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I {
      let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
      var result = Bytes()
      for lane in 0..<Bytes.scalarCount { result[lane] = max(a[lane], b[lane]) }
      return unsafeBitCast(result, to: I.self)
    }

    @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I {
      let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
      var result = Bytes()
      for lane in 0..<Bytes.scalarCount { result[lane] = min(a[lane], b[lane]) }
      return unsafeBitCast(result, to: I.self)
    }

    @inline(__always) static func maximumInt16(_ a: I, _ b: I) -> I {
      let low = maximum((a &<< 16) &>> 16, (b &<< 16) &>> 16), high = maximum(a &>> 16, b &>> 16)
      return (low & I(repeating: 0xFFFF)) | high &<< 16
    }

    @inline(__always) static func minimumInt16(_ a: I, _ b: I) -> I {
      let low = minimum((a &<< 16) &>> 16, (b &<< 16) &>> 16), high = minimum(a &>> 16, b &>> 16)
      return (low & I(repeating: 0xFFFF)) | high &<< 16
    }

    @inline(__always) static func saturatedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      var first = PanelBytes(), second = PanelBytes()
      let zero = (zeroPoint[0] &<< 16) &>> 16, low = (lower[0] &<< 24) &>> 24
      let high = (upper[0] &<< 24) &>> 24, flip = UInt8(truncatingIfNeeded: flip[0])
      func byte(_ x: Int32) -> UInt8 {
        let sum = min(max(x, -32768), 32767) &+ zero
        return UInt8(truncatingIfNeeded: min(max(sum, low), high)) ^ flip
      }
      for lane in 0..<I.scalarCount {
        first[lane] = byte(a0[lane])
        first[lane &+ I.scalarCount] = byte(a1[lane])
        second[lane] = byte(b0[lane])
        second[lane &+ I.scalarCount] = byte(b1[lane])
      }
      return (first, second)
    }

    @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      let a = unsafeBitCast(a, to: Bytes.self), b = unsafeBitCast(b, to: Bytes.self)
      let c = unsafeBitCast(c, to: Bytes.self), d = unsafeBitCast(d, to: Bytes.self)
      func part(_ quarter: Int) -> I {
        var result = Bytes()
        for lane in 0..<I.scalarCount {
          let column = lane / 4 &* 16 &+ quarter &* 4 &+ lane % 4
          result[4 &* lane] = a[column]
          result[4 &* lane &+ 1] = b[column]
          result[4 &* lane &+ 2] = c[column]
          result[4 &* lane &+ 3] = d[column]
        }
        return unsafeBitCast(result, to: I.self)
      }
      return (part(0), part(1), part(2), part(3))
    }

    @inline(__always) static func saturatedRow(
      _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> I {
      var result = Bytes()
      let zero = (zeroPoint[0] &<< 16) &>> 16, low = (lower[0] &<< 24) &>> 24, high = (upper[0] &<< 24) &>> 24
      let flip = UInt8(truncatingIfNeeded: flip[0])
      func byte(_ x: Int32) -> UInt8 {
        let sum = min(max(x, -32768), 32767) &+ zero
        return UInt8(truncatingIfNeeded: min(max(sum, low), high)) ^ flip
      }
      for lane in 0..<I.scalarCount {
        let column = lane / 4 &* 16 &+ lane % 4
        result[column] = byte(a[lane])
        result[column &+ 4] = byte(b[lane])
        result[column &+ 8] = byte(c[lane])
        result[column &+ 12] = byte(d[lane])
      }
      return unsafeBitCast(result, to: I.self)
    }

    @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
      loadFirstBytes(I.scalarCount, pointer)
    }

    @inline(__always) static func toInt(_ x: F) -> I {
      var result = I(repeating: .min)
      for lane in 0..<F.scalarCount where x[lane] >= -0x1p31 && x[lane] < 0x1p31 {
        result[lane] = Int32(x[lane].rounded(.toNearestOrEven))
      }
      return result
    }

    @inline(__always) static func toIntTruncating(_ x: F) -> I {
      var result = I(repeating: .min)
      for lane in 0..<F.scalarCount where x[lane] >= -0x1p31 && x[lane] < 0x1p31 { result[lane] = Int32(x[lane]) }
      return result
    }

    @inline(__always) static func scaledSums(
      _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
    ) -> I {
      var result = I()
      for lane in 0..<I.scalarCount {
        let term = terms.loadUnaligned(fromByteOffset: lane &* 8, as: Double.self)
        let factor = factors.loadUnaligned(fromByteOffset: lane &* 8, as: Double.self)
        let x = (Double(high[lane]) * 256 + (Double(low[lane]) + term)) * factor
        let bounded = x > -0x1p20 ? (x < 0x1p20 ? x : 0x1p20) : -0x1p20
        result[lane] = Int32(
          roundsUp ? (bounded + 0.5).rounded(.down) : bounded.rounded(.toNearestOrAwayFromZero))
      }
      return result
    }

    /// The bytes of all lanes, one vector for each of the four positions.
    struct SplitBytes {
      let first: I
      let second: I
      let third: I
      let fourth: I
    }

    @inline(__always) static func inputBytes(_ x: I, flip: I) -> SplitBytes {
      let mask = I(repeating: 0xFF), x = x ^ flip
      return SplitBytes(first: x & mask, second: x &>> 8 & mask, third: x &>> 16 & mask, fourth: x &>> 24 & mask)
    }

    @inline(__always) static func weightBytes(_ x: I) -> SplitBytes {
      SplitBytes(first: (x &<< 24) &>> 24, second: (x &<< 16) &>> 24, third: (x &<< 8) &>> 24, fourth: x &>> 24)
    }

    @inline(__always) static func dot(_ sum: I, _ input: SplitBytes, _ weights: SplitBytes) -> I {
      sum &+ input.first &* weights.first &+ input.second &* weights.second &+ input.third &* weights.third
        &+ input.fourth &* weights.fourth
    }
  }
#endif

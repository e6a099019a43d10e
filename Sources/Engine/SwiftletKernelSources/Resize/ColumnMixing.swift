/// The horizontal step of bilinear interpolation: interpolates pairs of pixels of a row that the vertical step
/// produced. The channels of an output pixel are contiguous.
///
/// Loads full vectors, so up to `vectorBytes` past the end of the row are read. Stores full vectors if they end within
/// the output row; the next pixel overwrites what a pixel writes past its own channels. Loops don't iterate over
/// ranges, because their checks would add unwind tables to the assembly.
struct ColumnMixing<V: VectorISA> {
  /// An array of `ColumnTap`, read field by field, because a generic type would leave its metadata in the assembly.
  let taps: UnsafeRawPointer
  let tapCount: Int
  let channels: Int

  /// A tap, with the bit patterns of its weights.
  struct Tap {
    var lower: Int
    var upper: Int
    var lowerWeight: UInt32
    var upperWeight: UInt32
  }

  @inline(__always)
  private func tap(_ index: Int) -> Tap {
    let start = taps.advanced(by: index &* 16)
    return Tap(
      lower: Int(start.load(as: Int32.self)), upper: Int(start.load(fromByteOffset: 4, as: Int32.self)),
      lowerWeight: start.load(fromByteOffset: 8, as: UInt32.self),
      upperWeight: start.load(fromByteOffset: 12, as: UInt32.self))
  }

  @inline(__always) private func float(_ weight: UInt32) -> V.F { V.splat(Float(bitPattern: weight)) }
  @inline(__always) private func integer(_ weight: UInt32) -> V.I { V.splat(Int32(bitPattern: weight)) }

  /// Calls `store` for every vector of every pixel with the tap, the first channel, the position in the output row, and
  /// the number of lanes that may be stored.
  @inline(__always)
  private func forEachVector(_ store: (Tap, Int, Int, Int) -> Void) {
    let total = tapCount &* channels
    var start = 0
    var index = 0
    while index < tapCount {
      let tap = tap(index)
      var channel = 0
      while channel < channels {
        let place = start &+ channel
        store(tap, channel, place, min(V.lanes, total &- place))
        channel &+= V.lanes
      }
      start &+= channels
      index &+= 1
    }
  }

  @inline(__always)
  func mix(_ row: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
    guard channels > 2 else { return mixScalars(row, output: output) }
    forEachVector { tap, channel, place, count in
      let lower = V.load(row + (tap.lower &+ channel))
      let upper = V.load(row + (tap.upper &+ channel))
      let sum = mixed(V.self, lower, upper, float(tap.upperWeight))
      if count == V.lanes { V.store(sum, output + place) } else { V.storeFirst(count, sum, output + place) }
    }
  }

  /// Interpolates rows of one or two channels.
  @inline(__always)
  private func mixScalars(_ row: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
    var target = output
    var index = 0
    while index < tapCount {
      let tap = tap(index)
      let (lower, upper) = (row + tap.lower, row + tap.upper)
      let share = Float(bitPattern: tap.upperWeight)
      target[0] = mixed(lower[0], upper[0], share)
      if channels == 2 { target[1] = mixed(lower[1], upper[1], share) }
      target += channels
      index &+= 1
    }
  }

  /// Interpolates in integers. Sums have `fractionBits` fraction bits, half of which come from the row and half from
  /// the weights, whose bit patterns are integers.
  ///
  /// - Parameter negativeShift: The offset for negative sums: -1 rounds their halves away from zero, 0 rounds them up.
  @inline(__always)
  func mix(_ row: UnsafePointer<Int32>, fractionBits: Int32, negativeShift: Int32, output: UnsafeMutablePointer<Int8>) {
    let half = V.splat(Int32(1) &<< (fractionBits &- 1))
    let (bits, shift) = (V.splat(fractionBits), V.splat(negativeShift))
    forEachVector { tap, channel, place, count in
      let lower = V.loadInts(row + (tap.lower &+ channel))
      let upper = V.loadInts(row + (tap.upper &+ channel))
      let sum =
        lower &* integer(tap.lowerWeight)
        &+ upper &* integer(tap.upperWeight)
      let rounded = (sum &+ half &+ ((sum &>> 31) & shift)) &>> bits
      if count == V.lanes {
        V.storeBytes(rounded, output + place)
      } else {
        V.storeFirstBytes(count, rounded, output + place)
      }
    }
  }

  /// Adds four products in the reference's order, then one half, then truncates.
  @inline(__always)
  func mix(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, output: UnsafeMutablePointer<UInt8>) {
    let half = V.splat(0.5)
    forEachVector { tap, channel, place, count in
      let (lower, upper) = (tap.lower &+ channel, tap.upper &+ channel)
      let (w0, w1) = (float(tap.lowerWeight), float(tap.upperWeight))
      let sum =
        V.load(first + lower) * w0 + V.load(second + lower) * w0 + V.load(first + upper) * w1
        + V.load(second + upper) * w1 + half
      // A mean of bytes is between 0 and 255. After adding one half, rounding errors can make the sum neither negative
      // nor 256.
      let whole = V.toIntTruncating(sum)
      if count == V.lanes {
        V.storeBytes(whole, output + place)
      } else {
        V.storeFirstBytes(count, whole, output + place)
      }
    }
  }
}

/// Packs the int8 or uint8 weights of one tap for consecutive channels: writes the weights minus the zero point, four
/// bytes apart, and adds them to the channels' sums. The part that doesn't fit a signed byte is written to the second
/// plane, which is initially zero. Returns whether any weight has such a part.
///
/// - Parameter secondPlane: The offset of the second plane from the first in bytes.
@inline(__always)
func packDepthwiseTap(
  channels: Int, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32, sums: UnsafeMutablePointer<Int32>?,
  into first: UnsafeMutableRawPointer, secondPlane: Int
) -> Bool {
  if isSigned && zeroPoint == 0 {
    // Most weights. All of them fit a signed byte.
    for lane in 0..<channels {
      first.storeBytes(
        of: weights.load(fromByteOffset: lane, as: Int8.self), toByteOffset: lane &* 4, as: Int8.self)
    }
    guard let sums else { return false }
    for lane in 0..<channels { sums[lane] &+= Int32(weights.load(fromByteOffset: lane, as: Int8.self)) }
    return false
  }
  var isBeyond = false
  for lane in 0..<channels {
    let bits = weights.load(fromByteOffset: lane, as: UInt8.self)
    let weight = (isSigned ? Int32(Int8(bitPattern: bits)) : Int32(bits)) &- zeroPoint
    let near = min(max(weight, -128), 127)
    if let sums { sums[lane] &+= weight }
    first.storeBytes(of: Int8(truncatingIfNeeded: near), toByteOffset: lane &* 4, as: Int8.self)
    guard near != weight else { continue }
    isBeyond = true
    first.storeBytes(
      of: Int8(truncatingIfNeeded: weight &- near), toByteOffset: secondPlane &+ lane &* 4, as: Int8.self)
  }
  return isBeyond
}

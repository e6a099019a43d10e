/// Packs one tap's byte weights of channels that follow each other: the weights less their zero point, four bytes
/// apart, and added to the channels' sums. Returns whether some take more than a signed byte; what is beyond it goes to
/// the second plane, which holds zeros before.
///
/// - Parameter secondPlane: Its distance in bytes from the first.
@inline(__always)
func packDepthwiseTap(
  channels: Int, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32, sums: UnsafeMutablePointer<Int32>?,
  into first: UnsafeMutableRawPointer, secondPlane: Int
) -> Bool {
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

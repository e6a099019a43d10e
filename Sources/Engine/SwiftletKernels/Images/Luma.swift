/// Returns the luma of a color with the ITU-R BT.601 weights, in 16-bit fixed point.
///
/// The weights sum to 65536, so white stays 255.
@inline(__always)
package func luma(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (UInt32(red) &* 19595 &+ UInt32(green) &* 38470 &+ UInt32(blue) &* 7471 &+ 32768) &>> 16)
}

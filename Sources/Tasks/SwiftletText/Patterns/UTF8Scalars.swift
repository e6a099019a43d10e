/// The Unicode scalars of UTF-8, one by one.
enum UTF8Scalars {
  /// The scalar at a place, and how many bytes it has. A byte that begins none counts as U+FFFD.
  ///
  /// - Parameter position: inside of `text`.
  @inline(__always)
  static func scalar(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (value: UInt32, length: Int) {
    let first = text[position]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, position + length <= text.count else { return (0xFFFD, 1) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in text[position + 1..<position + length] {
      guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }
}

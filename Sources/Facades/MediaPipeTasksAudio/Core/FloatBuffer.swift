public import Foundation

/// Floats in memory of their own.
#if canImport(ObjectiveC)
  @objc(MPPFloatBuffer) @objcMembers
#endif
open class FloatBuffer: NSObject, NSCopying {
  /// The most floats that a buffer has: a gigabyte. A longer one is cut to it.
  public static let mostElements: UInt = 1 << 28

  /// How many floats there are.
  public let length: UInt
  /// The floats; valid for as long as the buffer is there.
  public let data: UnsafeMutablePointer<Float>

  /// A buffer with a copy of `length` floats, or of zeros where `data` is `nil`.
  public init(data: UnsafePointer<Float>?, length: UInt) {
    self.length = min(length, Self.mostElements)
    self.data = .allocate(capacity: Int(self.length))
    if let data {
      self.data.initialize(from: data, count: Int(self.length))
    } else {
      self.data.initialize(repeating: 0, count: Int(self.length))
    }
  }

  /// A buffer of zeros.
  public convenience init(length: UInt) { self.init(data: nil, length: length) }

  /// A buffer with a copy of an array: an addition to MediaPipe's interface.
  public convenience init(_ values: [Float]) {
    self.init(length: UInt(values.count))
    for (index, value) in values.prefix(Int(length)).enumerated() { data[index] = value }
  }

  deinit { data.deallocate() }

  /// Sets all floats to zero.
  public func clear() { data.update(repeating: 0, count: Int(length)) }

  /// A buffer of the same floats in memory of its own.
  open func copy(with zone: NSZone? = nil) -> Any { FloatBuffer(data: data, length: length) }

  var values: [Float] { Array(UnsafeBufferPointer(start: data, count: Int(length))) }
}

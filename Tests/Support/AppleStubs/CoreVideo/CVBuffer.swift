// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stub of Apple's module for other platforms: see CoreGraphics.
import Foundation

/// The rows of pixels of one plane, or of all channels.
public struct StubPlane {
  public var bytes: [UInt8]
  public var bytesPerRow: Int
  public var height: Int

  public init(_ bytes: [UInt8], bytesPerRow: Int, height: Int) {
    (self.bytes, self.bytesPerRow, self.height) = (bytes, bytesPerRow, height)
  }
}

public class CVBuffer {
  /// The recorded accesses to a buffer.
  public struct StubRecord: Sendable {
    /// The current number of locks.
    public var lockCount = 0
    public var totalLocks = 0
    /// The number of faults: unlocking without a lock or with other flags than the lock's, and requests for memory
    /// without a lock.
    public var faults = 0
  }

  let format: OSType
  let width: Int
  let height: Int
  let planes: [(memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int, height: Int)]
  private let lock = NSLock()
  private var record = StubRecord()
  private var lastFlags = CVPixelBufferLockFlags()
  /// The attachments by key.
  public var stubAttachments: [String: String] = [:]
  /// The result of locking the buffer.
  public var stubLockResult = kCVReturnSuccess
  /// Whether the buffer has no addresses.
  public var stubHasNoMemory = false
  /// A closure that is called when the buffer is locked, on the locking thread.
  public var stubOnLock: (() -> Void)?
  public var stubRecord: StubRecord { lock.withLock { record } }

  /// - Parameter planes: The planes; a single one for packed formats.
  public init(stub format: OSType, width: Int, height: Int, planes: [StubPlane]) {
    (self.format, self.width, self.height) = (format, width, height)
    self.planes = planes.map { plane in
      // The memory ends with the last row, so that a sanitizer detects reads beyond it.
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.bytes.count, alignment: 1)
      memory.copyBytes(from: plane.bytes)
      return (memory, plane.bytesPerRow, plane.height)
    }
  }

  deinit { for plane in planes { plane.memory.deallocate() } }

  func locked(_ flags: CVPixelBufferLockFlags) -> CVReturn {
    stubOnLock?()
    return lock.withLock {
      guard stubLockResult == kCVReturnSuccess else { return stubLockResult }
      record.lockCount += 1
      record.totalLocks += 1
      lastFlags = flags
      return kCVReturnSuccess
    }
  }

  func unlocked(_ flags: CVPixelBufferLockFlags) {
    lock.withLock {
      if record.lockCount == 0 || flags != lastFlags { record.faults += 1 }
      record.lockCount -= 1
    }
  }

  func address(ofPlane index: Int) -> UnsafeMutableRawPointer? {
    lock.withLock {
      guard record.lockCount > 0 else {
        record.faults += 1
        return nil
      }
      return stubHasNoMemory || !planes.indices.contains(index) ? nil : planes[index].memory.baseAddress
    }
  }
}

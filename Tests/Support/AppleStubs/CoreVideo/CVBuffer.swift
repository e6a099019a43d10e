// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module where there is none: see CoreGraphics.
import Foundation

/// Rows of pixels, of one plane or of all channels.
public struct StubPlane {
  public var bytes: [UInt8]
  public var bytesPerRow: Int
  public var height: Int

  public init(_ bytes: [UInt8], bytesPerRow: Int, height: Int) {
    (self.bytes, self.bytesPerRow, self.height) = (bytes, bytesPerRow, height)
  }
}

public class CVBuffer {
  /// What was done with a buffer.
  public struct StubRecord: Sendable {
    /// How often it is locked at present.
    public var lockCount = 0
    public var totalLocks = 0
    /// Unlocked while it was not locked, or with other flags than it was locked with; asked for memory while it was not
    /// locked.
    public var faults = 0
  }

  let format: OSType
  let width: Int
  let height: Int
  let planes: [(memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int, height: Int)]
  private let lock = NSLock()
  private var record = StubRecord()
  private var lastFlags = CVPixelBufferLockFlags()
  /// By key.
  public var stubAttachments: [String: String] = [:]
  /// What locking it answers.
  public var stubLockResult = kCVReturnSuccess
  /// Whether it has no addresses.
  public var stubHasNoMemory = false
  /// Called when it is locked, on the thread that does so.
  public var stubOnLock: (() -> Void)?
  public var stubRecord: StubRecord { lock.withLock { record } }

  /// - Parameter planes: one for packed formats.
  public init(stub format: OSType, width: Int, height: Int, planes: [StubPlane]) {
    (self.format, self.width, self.height) = (format, width, height)
    self.planes = planes.map { plane in
      // Exactly as long as the rows are, so that a sanitizer sees what is read behind them.
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

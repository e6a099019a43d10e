public import Foundation
import SwiftletVision
import TensorFlowLiteCommon

/// Options that all tasks share: the model, and how it runs.
open class BaseOptions: NSObject, NSCopying {
  /// The model file. Setting the property copies the value; the value that it returns can be modified in place.
  open var modelFile = ExternalFile() {
    didSet { modelFile = modelFile.duplicate() }
  }
  /// The options for running the model. Setting the property copies the value; the value that it returns can be
  /// modified in place.
  open var computeSettings = ComputeSettings() {
    didSet { computeSettings = computeSettings.duplicate() }
  }
  /// The settings of the Core ML delegate. Accepted; the model runs on the CPU.
  open var coreMLDelegateSettings: TFLCoreMLDelegateSettings?

  /// Creates options without a model.
  public override init() {}

  /// Returns independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> BaseOptions {
    let copy = BaseOptions()
    copy.modelFile = modelFile
    copy.computeSettings = computeSettings
    copy.coreMLDelegateSettings = coreMLDelegateSettings
    return copy
  }

  /// The handler of messages for developers, in addition to thrown errors. It receives one warning if a model runs on
  /// the CPU although the Core ML delegate was requested. The default handler writes to standard error; `nil` discards
  /// messages.
  ///
  /// This is an addition to the Task Library's API.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TaskError` if there is no model, or the number of threads is invalid.
  func values() throws(TaskError) -> SwiftletVision.BaseOptions {
    guard !modelFile.filePath.isEmpty else {
      throw TaskError(.invalidOption, "no model is named; set baseOptions.modelFile.filePath, or use init(modelPath:)")
    }
    let threads = Int(computeSettings.cpuSettings.numThreads as Int32)
    guard threads > 0 || threads == -1 else {
      throw TaskError(.invalidOption, "numThreads must be positive, or -1 for any number, but it is \(threads)")
    }
    if coreMLDelegateSettings != nil { DeveloperMessages.warnOfProcessor(insteadOf: "coreMLDelegateSettings") }
    return .init(model: .file(modelFile.filePath), threads: threads > 0 ? threads : 1)
  }
}

/// A file that a task reads.
open class ExternalFile: NSObject, NSCopying {
  /// The path of the file.
  open var filePath = ""

  /// Creates a file without a path.
  public override init() {}

  /// Returns an independent file with the same path.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ExternalFile {
    let copy = ExternalFile()
    copy.filePath = filePath
    return copy
  }
}

/// The options for running a model.
open class ComputeSettings: NSObject, NSCopying {
  /// The options for the CPU. Setting the property copies the value; the value that it returns can be modified in
  /// place.
  open var cpuSettings = CpuSettings() {
    didSet { cpuSettings = cpuSettings.duplicate() }
  }

  /// Creates settings with their default values.
  public override init() {}

  /// Returns independent settings with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ComputeSettings {
    let copy = ComputeSettings()
    copy.cpuSettings = cpuSettings
    return copy
  }
}

/// The options for the CPU.
open class CpuSettings: NSObject, NSCopying, CountingThreads {
  /// The maximum number of threads per call; -1 lets the engine choose. 0 is an error.
  ///
  /// Releases of the Task Library differ in the type of this property. It is an `Int32` here, and an `Int` through
  /// ``CountingThreads``.
  open var numThreads: Int32 = -1

  /// Creates settings with their default values.
  public override init() {}

  /// Returns independent settings with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> CpuSettings {
    let copy = CpuSettings()
    copy.numThreads = numThreads
    return copy
  }

  /// The number of threads as an `Int`, which the types of all releases fit in.
  public var threadCount: Int {
    get { Int(numThreads as Int32) }
    set { numThreads = Int32(clamping: newValue) }
  }
}

/// An object with a number of threads, which can also be accessed as an `Int`.
public protocol CountingThreads: AnyObject {
  /// The number of threads.
  var threadCount: Int { get set }
}

extension CountingThreads {
  /// The maximum number of threads per call, for code that uses `Int`.
  public var numThreads: Int {
    get { threadCount }
    set { threadCount = newValue }
  }
}

/// The devices on which the Task Library uses Core ML.
public enum OnDeviceModelType: UInt, Sendable {
  /// All devices.
  case all = 0
  /// Devices with a neural engine.
  case withNeuralEngine = 1
}

/// The settings of the Core ML delegate. They have no effect.
public final class TFLCoreMLDelegateSettings: NSObject, NSCopying, Sendable {
  /// The devices on which to use Core ML.
  public let enabledDevices: OnDeviceModelType
  /// The version of Core ML.
  public let coreMLVersion: Int32

  /// Creates settings. (The lowercase letter in the label is the Task Library's.)
  public init(coreMLVersion: Int32, enableddevices: OnDeviceModelType) {
    self.coreMLVersion = coreMLVersion
    enabledDevices = enableddevices
  }

  /// Returns the same settings.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

public import Foundation
import SwiftletVision
import TensorFlowLiteCommon

/// Options that all tasks share: which model, and how it is run.
open class BaseOptions: NSObject, NSCopying {
  /// The model's file. What is assigned is copied; what is read may be changed in place.
  open var modelFile = ExternalFile() {
    didSet { modelFile = modelFile.duplicate() }
  }
  /// The options for running the model. What is assigned is copied; what is read may be changed in place.
  open var computeSettings = ComputeSettings() {
    didSet { computeSettings = computeSettings.duplicate() }
  }
  /// Asks for Apple's neural engine. Accepted; the model runs on the processor.
  open var coreMLDelegateSettings: TFLCoreMLDelegateSettings?

  /// Creates options that name no model yet.
  public override init() {}

  /// Independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> BaseOptions {
    let copy = BaseOptions()
    copy.modelFile = modelFile
    copy.computeSettings = computeSettings
    copy.coreMLDelegateSettings = coreMLDelegateSettings
    return copy
  }

  /// Receives what is told to developers besides the errors that are thrown: once that a model runs on the processor
  /// although the neural engine was asked for. By default it is written to the standard error output; `nil` for
  /// silence.
  ///
  /// An addition to the original's interface.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// - Throws: `TaskError` when there is no model, or no such number of threads.
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

  /// Creates a file without a path yet.
  public override init() {}

  /// An independent file with the same path.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ExternalFile {
    let copy = ExternalFile()
    copy.filePath = filePath
    return copy
  }
}

/// The options for running a model.
open class ComputeSettings: NSObject, NSCopying {
  /// The options for the CPU. What is assigned is copied; what is read may be changed in place.
  open var cpuSettings = CpuSettings() {
    didSet { cpuSettings = cpuSettings.duplicate() }
  }

  /// Creates settings with their default values.
  public override init() {}

  /// Independent settings with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ComputeSettings {
    let copy = ComputeSettings()
    copy.cpuSettings = cpuSettings
    return copy
  }
}

/// The options for the CPU.
open class CpuSettings: NSObject, NSCopying, CountingThreads {
  /// The most threads that a call uses; -1 for as many as the engine chooses. 0 is an error.
  ///
  /// Releases of the original differ in the type: this one takes an `Int32`, and an `Int` by ``CountingThreads``.
  open var numThreads: Int32 = -1

  /// Creates settings with their default values.
  public override init() {}

  /// Independent settings with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> CpuSettings {
    let copy = CpuSettings()
    copy.numThreads = numThreads
    return copy
  }

  /// The number in the type that all releases fit in.
  public var threadCount: Int {
    get { Int(numThreads as Int32) }
    set { numThreads = Int32(clamping: newValue) }
  }
}

/// A number of threads that is read and written as `Int` too.
public protocol CountingThreads: AnyObject {
  /// The number of threads.
  var threadCount: Int { get set }
}

extension CountingThreads {
  /// The most threads that a call uses, for code that has an `Int`.
  public var numThreads: Int {
    get { threadCount }
    set { threadCount = newValue }
  }
}

/// The devices on which the original uses Core ML.
public enum OnDeviceModelType: UInt, Sendable {
  /// All.
  case all = 0
  /// Devices with a neural engine.
  case withNeuralEngine = 1
}

/// The options for Core ML. Accepted, and without effect.
public final class TFLCoreMLDelegateSettings: NSObject, NSCopying, Sendable {
  /// The devices that it is meant for.
  public let enabledDevices: OnDeviceModelType
  /// The version of Core ML.
  public let coreMLVersion: Int32

  /// Creates settings. (The label's small letter is the original's.)
  public init(coreMLVersion: Int32, enableddevices: OnDeviceModelType) {
    self.coreMLVersion = coreMLVersion
    enabledDevices = enableddevices
  }

  /// The same settings.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

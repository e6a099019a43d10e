import Foundation
import SwiftletTestSupport
import Testing

import struct SwiftletTasks.TaskError
@testable import TensorFlowLiteTaskVision

@Suite("Values of Task Library's options and errors")
struct OptionValueTests {
  @Test("options keep their values, and reach the task")
  func values() throws {
    let base = BaseOptions()
    #expect(base.modelFile.filePath.isEmpty && base.coreMLDelegateSettings == nil)
    base.modelFile.filePath = "/m"
    base.computeSettings.cpuSettings.numThreads = 3
    base.coreMLDelegateSettings = TFLCoreMLDelegateSettings(coreMLVersion: 2, enableddevices: .withNeuralEngine)
    let copy = try #require(base.copy() as? BaseOptions)
    #expect(copy.modelFile.filePath == "/m" && copy.computeSettings.cpuSettings.numThreads == 3 as Int32)
    #expect(copy.coreMLDelegateSettings === base.coreMLDelegateSettings)
    #expect(copy.coreMLDelegateSettings?.coreMLVersion == 2)
    #expect(copy.coreMLDelegateSettings?.enabledDevices == .withNeuralEngine)
    #expect(base.coreMLDelegateSettings?.copy() as? TFLCoreMLDelegateSettings === base.coreMLDelegateSettings)
    #expect([OnDeviceModelType.all, .withNeuralEngine].map(\.rawValue) == [0, 1])
    // The delegate's settings are reported to a handler, which another test checks.
    base.coreMLDelegateSettings = nil
    for (threads, used) in [(-1, 1), (1, 1), (4, 4)] as [(Int32, Int)] {
      base.computeSettings.cpuSettings.numThreads = threads
      let values = try base.values()
      #expect(values.threads == used && values.model == .file("/m"))
    }
    for threads in [0, -2] as [Int32] {
      base.computeSettings.cpuSettings.numThreads = threads
      let error: TaskError? = thrownError { try base.values() }
      #expect(
        error == TaskError(.invalidOption, "numThreads must be positive, or -1 for any number, but it is \(threads)"))
    }
    let nameless: TaskError? = thrownError { try BaseOptions().values() }
    #expect(
      nameless
        == TaskError(.invalidOption, "no model is named; set baseOptions.modelFile.filePath, or use init(modelPath:)"))
    for settings in [ExternalFile().copy() as? ExternalFile] { #expect(settings?.filePath == "") }
    let file = ExternalFile(), compute = ComputeSettings(), cpu = CpuSettings()
    file.filePath = "/f"
    compute.cpuSettings.numThreads = 5
    cpu.numThreads = 6
    #expect((file.copy() as? ExternalFile)?.filePath == "/f")
    #expect((compute.copy() as? ComputeSettings)?.cpuSettings.numThreads == 5 as Int32)
    #expect((cpu.copy() as? CpuSettings)?.numThreads == 6 as Int32)
  }

  @Test("options of classes have their defaults, are copied, and reach the task")
  func classValues() throws {
    let options = ClassificationOptions()
    let plain = try options.values()
    #expect(plain.locale == "en" && plain.maxResults == nil && plain.scoreThreshold == 0)
    #expect(plain.allow.isEmpty && plain.deny.isEmpty)
    (options.displayNamesLocale, options.maxResults, options.scoreThreshold) = ("de", 1, 0.25)
    (options.labelAllowList, options.labelDenyList) = (["a"], ["b", "c"])
    let copy = try #require(options.copy() as? ClassificationOptions)
    for values in [try options.values(), try copy.values()] {
      #expect(values.locale == "de" && values.maxResults == 1 && values.scoreThreshold == 0.25)
      #expect(values.allow == ["a"] && values.deny == ["b", "c"])
    }
    for (maxResults, expected) in [(-1, nil), (0, 0), (.min, nil)] as [(Int, Int?)] {
      options.maxResults = maxResults
      #expect(try options.values().maxResults == expected)
    }
    options.labelDenyList = ["b", 7]
    let error: TaskError? = thrownError { try options.values() }
    #expect(error == TaskError(.invalidOption, "lists of labels must hold strings and nothing else"))
    let segmenter = ImageSegmenterOptions(), base = BaseOptions()
    base.modelFile.filePath = "/first"
    segmenter.baseOptions = base
    base.modelFile.filePath = "/second"
    #expect(segmenter.baseOptions.modelFile.filePath == "/first")
    segmenter.baseOptions = BaseOptions()
    #expect(segmenter.outputType == .categoryMask && segmenter.displayNamesLocale.isEmpty)
    #expect(segmenter.baseOptions.modelFile.filePath.isEmpty)
    #expect([OutputType.unspecified, .categoryMask, .confidenceMasks].map(\.rawValue) == [0, 1, 2])
  }

  /// The original's error codes.
  static let codes: [(SupportErrorCode, UInt)] = [
    (.unspecifiedError, 1), (.invalidArgumentError, 2), (.invalidFlatBufferError, 3), (.unsupportedBuiltinOpError, 4),
    (.unsupportedCustomOpError, 5), (.fileNotFoundError, 100), (.filePermissionDeniedError, 101), (.fileReadError, 102),
    (.fileMmapError, 103), (.metadataInvalidSchemaVersionError, 200), (.metadataAssociatedFileNotFoundError, 201),
    (.metadataAssociatedFileZipError, 202), (.metadataInconsistencyError, 203),
    (.metadataInvalidProcessUnitsError, 204), (.metadataNumLabelsMismatchError, 205),
    (.metadataMalformedScoreCalibrationError, 206), (.metadataInvalidNumSubgraphsError, 207),
    (.metadataMissingNormalizationOptionsError, 208), (.metadataInvalidContentPropertiesError, 209),
    (.metadataNotFoundError, 210), (.metadataMissingLabelsError, 211), (.metadataInvalidTokenizerError, 212),
    (.invalidNumInputTensorsError, 300), (.invalidInputTensorDimensionsError, 301),
    (.invalidInputTensorTypeError, 302), (.invalidInputTensorSizeError, 303), (.inputTensorNotFoundError, 304),
    (.invalidOutputTensorDimensionsError, 400), (.invalidOutputTensorTypeError, 401),
    (.outputTensorNotFoundError, 402), (.invalidNumOutputTensorsError, 403), (.imageProcessingError, 500),
    (.imageProcessingInvalidArgumentError, 501), (.imageProcessingBackendError, 502), (.notFoundError, 900),
    (.internalError, 901),
  ]

  @Test("codes equal the original's")
  func errorCodes() {
    for (code, value) in Self.codes { #expect(code.rawValue == value && SupportErrorCode(rawValue: value) == code) }
  }

  @Test(
    "errors have the corresponding code and the task's message",
    arguments: [
      (.modelNotFound, 100), (.unreadableModel, 102), (.invalidModel, 3), (.unsupportedModel, 4),
      (.missingMetadata, 210), (.invalidImage, 501), (.invalidOption, 2), (.invalidArgument, 2),
      (.timeNotIncreasing, 2), (.invalidRegion, 2),
      (.invalidAudio, 2), (.limitExceeded, 901), (.deadlineExceeded, 901), (.cancelled, 901), (.failed, 901),
    ] as [(TaskError.Code, Int)])
  func taskCode(code: TaskError.Code, value: Int) {
    let error: NSError? = thrownError { try reportingTaskErrors { throw TaskError(code, "words") } }
    #expect(error?.domain == "org.tensorflow.lite.tasks" && error?.code == value)
    #expect(error?.localizedDescription == "words")
  }

  /// Records messages. A lock protects it.
  private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    var texts: [String] { lock.withLock { all } }
    func add(_ text: String) { lock.withLock { all.append(text) } }
  }

  @Test("a handler receives Core ML settings if there are any")
  func messages() throws {
    let base = BaseOptions(), heard = Heard()
    base.modelFile.filePath = "/m"
    try ProcessSettings.exclusively { () throws in
      let before = BaseOptions.messageHandler
      BaseOptions.messageHandler = { heard.add($0) }
      defer { BaseOptions.messageHandler = before }
      #expect(BaseOptions.messageHandler != nil)
      _ = try base.values()
      #expect(!heard.texts.contains { $0.contains("coreMLDelegateSettings") })
      base.coreMLDelegateSettings = TFLCoreMLDelegateSettings(coreMLVersion: 2, enableddevices: .all)
      for _ in 0..<2 { _ = try base.values() }
    }
    #expect(
      heard.texts.filter { $0.contains("coreMLDelegateSettings") } == [
        "coreMLDelegateSettings is accepted, but has no effect: the model runs on the CPU"
      ])
  }
}

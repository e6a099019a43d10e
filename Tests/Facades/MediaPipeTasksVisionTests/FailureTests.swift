import Foundation
import SwiftletImage
@_spi(Facades) import SwiftletTasks
import Testing

@testable import MediaPipeTasksVision

/// Checks the conversion of task errors to MediaPipe's.
@Suite("Failures")
struct FailureTests {
  /// MediaPipe's codes, which are Abseil's status codes, and the names at the start of its messages.
  static let codes: [(TasksErrorCode, UInt, String)] = [
    (.cancelledError, 1, "CANCELLED"), (.unknownError, 2, "UNKNOWN"), (.invalidArgumentError, 3, "INVALID_ARGUMENT"),
    (.deadlineExceededError, 4, "DEADLINE_EXCEEDED"), (.notFoundError, 5, "NOT_FOUND"),
    (.alreadyExistsError, 6, "ALREADY_EXISTS"), (.permissionDeniedError, 7, "PERMISSION_DENIED"),
    (.resourceExhaustedError, 8, "RESOURCE_EXHAUSTED"), (.failedPreconditionError, 9, "FAILED_PRECONDITION"),
    (.abortedError, 10, "ABORTED"), (.outOfRangeError, 11, "OUT_OF_RANGE"),
    (.unimplementedError, 12, "UNIMPLEMENTED"), (.internalError, 13, "INTERNAL"),
    (.unavailableError, 14, "UNAVAILABLE"), (.dataLossError, 15, "DATA_LOSS"),
    (.unauthenticatedError, 16, "UNAUTHENTICATED"), (.audioRecordPermissionDeniedError, 17, "UNKNOWN"),
    (.audioRecordPermissionUndeterminedError, 18, "UNKNOWN"), (.audioRecordWaitingForNewMicInputError, 19, "UNKNOWN"),
    (.audioRecordNotTappingMicError, 20, "UNKNOWN"),
  ]

  @Test("have MediaPipe's codes and names", arguments: codes.indices)
  func code(index: Int) {
    let (code, value, name) = Self.codes[index]
    #expect(code.rawValue == value && TasksErrorCode(rawValue: value) == code)
    #expect(TasksFailure(core: code, "words").text == name + ": words" && TasksFailure(core: code, "").code == code)
    #expect(TasksFailure(code, "words").text == "words")
    let error = NSError.tasks(TasksFailure(code, "words"))
    #expect(error.domain == "com.google.mediapipe.tasks" && error.code == Int(value))
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == "words")
    #expect(TasksErrorCode.first.rawValue == 1 && TasksErrorCode.last.rawValue == 20)
  }

  @Test(
    "have the code that fits the task's",
    arguments: [
      (.modelNotFound, 5), (.missingMetadata, 5), (.unsupportedModel, 12), (.limitExceeded, 8), (.deadlineExceeded, 4),
      (.cancelled, 1), (.failed, 13), (.unreadableModel, 3), (.invalidModel, 3),
      (.invalidOption, 3), (.invalidArgument, 3), (.timeNotIncreasing, 3), (.invalidRegion, 3), (.invalidImage, 3),
      (.invalidAudio, 3),
    ] as [(TaskError.Code, Int)])
  func taskCode(code: TaskError.Code, value: Int) {
    let error = NSError.tasks(TaskError(code, "the words"))
    #expect(error.code == value)
    let name = Self.codes[value - 1].2
    let words =
      switch code {
      case .timeNotIncreasing: "Input timestamp must be monotonically increasing."
      case .invalidRegion: "ROI width and height must be > 0."
      default: "the words"
      }
    #expect(error.localizedDescription == "\(name): \(words)")
  }

  @Test("have MediaPipe's messages if they are known")
  func causes() {
    func text(_ cause: TaskError.Cause) -> String {
      let error = NSError.tasks(TaskError(.failed, "the words", cause))
      return "\(error.code) \(error.localizedDescription)"
    }
    #expect(text(.missingFile(path: "/a")) == "5 NOT_FOUND: Unable to open file at /a")
    #expect(text(.forbiddenFile) == "7 PERMISSION_DENIED: the words")
    #expect(
      text(.missingMember(name: "a.tflite", others: ["b", "c"]))
        == "5 NOT_FOUND: No file with name: a.tflite. All files in the model asset bundle are: b, c.")
    #expect(
      text(.missingMember(name: "face_blendshapes.tflite", others: ["b"]))
        == "3 INVALID_ARGUMENT: BLENDSHAPES Tag and blendshapes model must be both set. Get BLENDSHAPES is set: true, blendshapes model is set: false"
    )
    func text(_ failure: TasksFailure) -> String {
      let error = NSError.tasks(failure)
      return "\(error.code) \(error.localizedDescription)"
    }
    #expect(
      text(TasksFailure(task: "vision", calledFor: "image mode", current: "live stream"))
        == "3 The vision task is not initialized with image mode. Current Running Mode: Live Stream")
    let mirrored = text(TasksFailure(mirroredOrientation: "upMirrored"))
    #expect(mirrored.hasPrefix("3 Unsupported UIImageOrientation. `imageOrientation` cannot be"))
    #expect(mirrored.contains("but it is upMirrored."))
    #expect(
      text(.sampleRate(8000.5, expected: 16_000))
        == "3 The input audio sample rate: 8000.500000 is inconsistent with the previously provided: 16000.000000")
  }

  private struct Oddity: Error, CustomStringConvertible {
    let description = "odd"
  }

  @Test("of other kinds are unknown, and image errors are invalid arguments")
  func others() throws {
    let unknown = NSError.tasks(Oddity())
    #expect(unknown.code == 2 && unknown.localizedDescription == "UNKNOWN: odd")
    let image = #expect(throws: NSError.self) { try MPImage(rgb: [1, 2], width: 1, height: 1) }
    #expect(image?.domain == "com.google.mediapipe.tasks" && image?.code == 3)
    let native = #expect(throws: ImageError.self) {
      try ImageBuffer(bytes: [1, 2], width: 1, height: 1, pixelFormat: .rgb8)
    }
    #expect(image?.localizedDescription == native?.message)
    let reported = #expect(throws: NSError.self) { try reportingTasksErrors { throw Oddity() } }
    #expect(reported?.code == 2)
    #expect(try reportingTasksErrors { 5 } == 5)
  }

  @Test(
    "of options: no results, or both lists",
    arguments: [(-1, 0, 0, nil), (1, 1, 0, nil), (1, 0, 1, nil), (0, 0, 0, "0"), (1, 1, 1, "lists"), (0, 1, 1, "0")]
      as [(Int, Int, Int, String?)])
  func options(maxResults: Int, allowed: Int, denied: Int, problem: String?) {
    let words = [
      "0": "INVALID_ARGUMENT: Invalid `max_results` option: value must be != 0!",
      "lists": "INVALID_ARGUMENT: `category_allowlist` and `category_denylist` are mutually exclusive options.",
    ]
    var failure: TasksFailure?
    do throws(TasksFailure) {
      try CategoryOptionCheck.check(
        maxResults: maxResults, allow: .init(repeating: "a", count: allowed),
        deny: .init(repeating: "b", count: denied), end: "!")
    } catch {
      failure = error
    }
    #expect(failure?.text == problem.flatMap { words[$0] })
    #expect(failure?.code == (problem == nil ? nil : .invalidArgumentError))
  }

  @Test(
    "of no kind: times are whole milliseconds",
    arguments: [
      (.zero, 0), (.microseconds(999), 0), (.milliseconds(1), 1), (.seconds(2), 2000), (.milliseconds(-5), -5),
    ]
      as [(Duration, Int)])
  func milliseconds(time: Duration, count: Int) {
    #expect(time.inMilliseconds == count && (time + .seconds(3)).inMilliseconds == count + 3000)
  }

  @Test("of comparisons: embeddings of one kind and length are compared")
  func similarity() throws {
    func floats(_ numbers: [NSNumber]?, _ bytes: [NSNumber]? = nil) -> MediaPipeTasksVision.Embedding {
      .init(floatEmbedding: numbers, quantizedEmbedding: bytes, headIndex: 0, headName: nil)
    }
    let one = floats([3, 4]), other = floats([4, 3])
    #expect(abs(try ImageEmbedder.cosineSimilarity(embedding1: one, embedding2: other).doubleValue - 0.96) < 1e-12)
    let bytes = floats(nil, [3, 4]), otherBytes = floats(nil, [-4, 3])
    #expect(abs(try ImageEmbedder.cosineSimilarity(embedding1: bytes, embedding2: otherBytes).doubleValue) < 1e-12)
    for (first, second, words) in [
      (one, floats([1]), "Cannot compute cosine similarity between embeddings of different sizes (2 vs 1)."),
      (bytes, floats(nil, [1]), "Cannot compute cosine similarity between embeddings of different sizes (2 vs 1)."),
      (one, bytes, "Cannot compute cosine similarity between quantized and float embeddings."),
      (bytes, one, "Cannot compute cosine similarity between quantized and float embeddings."),
      (floats(nil), floats(nil), "Cannot compute cosine similarity between quantized and float embeddings."),
    ] {
      let error = #expect(throws: NSError.self) {
        try ImageEmbedder.cosineSimilarity(embedding1: first, embedding2: second)
      }
      #expect(error?.code == 3 && error?.localizedDescription == words)
    }
  }

  @Test("of closures are passed to the completion handler, or the value is")
  func completion() {
    var told: [String] = []
    tell({ (value: Int?, error: (any Error)?) in told.append("\(value ?? -1) \(error == nil)") }, { 5 })
    tell({ (value: Int?, error: (any Error)?) in told.append("\(value ?? -1) \(error == nil)") }, { throw Oddity() })
    #expect(told == ["5 true", "-1 false"])
  }
}

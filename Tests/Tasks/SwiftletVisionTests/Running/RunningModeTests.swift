import Foundation
import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Running modes")
struct RunningModeTests {
  private static func call(_ runner: FakeRunner, as mode: RunningMode, _ image: MPImage, at time: Int = 0) throws {
    switch mode {
    case .image: _ = try runner.image(image)
    case .video: _ = try runner.video(image, timestamp: .milliseconds(time))
    case .liveStream: try runner.send(image, timestamp: .milliseconds(time))
    }
  }

  @Test(
    "a call of another mode is refused with MediaPipe's text", arguments: RunningMode.allCases, RunningMode.allCases)
  func misuse(of called: RunningMode, in mode: RunningMode) throws {
    let runner = try FakeRunner.make(mode)
    let error = failure { try Self.call(runner, as: called, try picture()) }
    guard called != mode else {
      #expect(error == nil)
      return
    }
    let words = [RunningMode.image: "image", .video: "video", .liveStream: "live stream"]
    #expect(error?.code == .wrongMode)
    #expect(error?.circumstance == .mode(task: "vision", called: "\(called) mode", current: "\(mode)"))
    let text = try "for tasks in \(#require(words[called])) mode, but this one runs in \(#require(words[mode])) mode"
    #expect(error?.message.contains(text) == true)
  }

  @Test("the async forms refuse the other modes as well")
  func asyncMisuse() async throws {
    let image = try picture()
    let video = try FakeRunner.make(.video)
    let first = await #expect(throws: TaskError.self) {
      try await video.imageAsync(image)
    }
    #expect(first?.code == .wrongMode)
    let live = try FakeRunner.make(.liveStream)
    let second = await #expect(throws: TaskError.self) {
      try await live.videoAsync(image, timestamp: .zero)
    }
    #expect(second?.code == .wrongMode)
  }

  @Test("image mode makes its time up: a second per picture, from 0")
  func imageTime() throws {
    let runner = try FakeRunner.make(.image)
    let image = try picture()
    #expect(try (0..<3).map { _ in try runner.image(image).timestamp } == [.zero, .seconds(1), .seconds(2)])
  }

  @Test("a picture that is refused takes no time of image mode")
  func refusedPictureTakesNoTime() throws {
    let runner = try FakeRunner.make(.image)
    _ = try runner.image(try picture())
    #expect(failure { try runner.image(try picture(orientation: .upMirrored)) } != nil)
    #expect(try runner.image(try picture()).timestamp == .milliseconds(1000))
  }

  @Test("times must rise; a bad one fails alone", arguments: [RunningMode.video, .liveStream])
  func risingTimes(_ mode: RunningMode) throws {
    let runner = try FakeRunner.make(mode)
    let image = try picture()
    try Self.call(runner, as: mode, image, at: -5)
    try Self.call(runner, as: mode, image, at: 10)
    for bad in [10, 9, 0, -6, .min] {
      let error = failure { try Self.call(runner, as: mode, image, at: bad) }
      #expect(error?.code == .timeNotIncreasing)
    }
    try Self.call(runner, as: mode, image, at: 11)
    try Self.call(runner, as: mode, image, at: .max)
    #expect(failure { try Self.call(runner, as: mode, image, at: .max) } != nil)
  }

  @Test("the lowest time there is can be a frame's")
  func lowestTime() throws {
    let runner = try FakeRunner.make(.video)
    #expect(try runner.video(try picture(), timestamp: .milliseconds(Int.min)).timestamp == .milliseconds(Int.min))
    #expect(try runner.video(try picture(), timestamp: .milliseconds(Int.min + 1)).timestamp > .milliseconds(Int.min))
  }

  @Test(
    "mirrored orientations are refused in every mode, and the others are not", arguments: RunningMode.allCases,
    ImageOrientation.allCases)
  func orientations(_ mode: RunningMode, _ orientation: ImageOrientation) throws {
    let runner = try FakeRunner.make(mode)
    let error = failure { try Self.call(runner, as: mode, try picture(orientation: orientation)) }
    guard orientation.isMirrored else {
      #expect(error == nil)
      return
    }
    #expect(error?.code == .unsupportedOrientation && error?.circumstance == .orientation("\(orientation)"))
  }

  @Test(
    "the mode is checked before the orientation, the orientation before the time",
    arguments: [RunningMode.video, .liveStream])
  func orderOfChecks(_ mode: RunningMode) throws {
    let runner = try FakeRunner.make(mode)
    let mirrored = try picture(orientation: .leftMirrored)
    #expect(failure { try runner.image(mirrored) }?.code == .wrongMode)
    try Self.call(runner, as: mode, try picture(), at: 5)
    #expect(failure { try Self.call(runner, as: mode, mirrored, at: 5) }?.code == .unsupportedOrientation)
    // The refused picture's time was not taken.
    #expect(failure { try Self.call(runner, as: mode, mirrored, at: 100) } != nil)
    try Self.call(runner, as: mode, try picture(), at: 6)
  }

  @Test("the region of interest and the time reach the pipeline")
  func passesParametersOn() throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.5, height: 0.25, rotation: 0.1)
    let image = try picture(width: 3)
    let expected = FakePipeline.Output(width: 3, regionOfInterest: region, timestamp: .zero)
    #expect(try FakeRunner.make(.image).image(image, regionOfInterest: region) == expected)
    let video = try FakeRunner.make(.video)
    #expect(try video.video(image, timestamp: .zero, regionOfInterest: region) == expected)
    #expect(try video.video(image, timestamp: .milliseconds(7)).regionOfInterest == nil)
  }

  @Test("an error of one frame leaves the task usable; the frame's time is spent")
  func oneFrameFails() throws {
    let runner = try FakeRunner.make(.video) { _, time in
      if time == 2 { throw TaskError(.invalidImage, "bad frame") }
      if time == 3 { throw Fault("something else") }
      return nil
    }
    let image = try picture()
    _ = try runner.video(image, timestamp: .milliseconds(1))
    #expect(
      failure { try runner.video(image, timestamp: .milliseconds(2)) } == TaskError(.invalidImage, "bad frame"))
    #expect(failure { try runner.video(image, timestamp: .milliseconds(2)) }?.code == .timeNotIncreasing)
    #expect(
      failure { try runner.video(image, timestamp: .milliseconds(3)) }
        == TaskError(.failed, "something else"))
    #expect(try runner.video(image, timestamp: .milliseconds(4)).timestamp == .milliseconds(4))
  }

  @Test("a pipeline that cannot be made fails the task's creation")
  func failingCreation() {
    #expect(throws: TaskError.invalidModel("no model")) {
      try FakeRunner(runningMode: .image, taskName: "fake") { () throws -> FakePipeline in
        throw TaskError.invalidModel("no model")
      }
    }
  }
}

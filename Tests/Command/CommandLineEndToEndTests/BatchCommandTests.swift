import Foundation
import SwiftletTestSupport
import Testing

/// Behavior that all commands with several operands share, apart from each command's own results.
@Suite("Batches on the command line")
struct BatchCommandTests {
  static let commands = TinyTask.allCases

  private struct Place {
    let folder: TemporaryFolder
    let model: String
    let flag: String
    let gray: String
    let broken: String

    init(_ task: TinyTask) throws {
      folder = try TemporaryFolder()
      model = try task.write(to: folder)
      flag = try FlagImage.write(to: folder)
      gray = try GrayImage.write(to: folder)
      broken = try folder.write(Array(try FlagImage.bytes.dropLast(30)), to: "cut.png")
    }
  }

  private func array(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  @Test("process the other images if one is invalid, and report it in its place", arguments: commands)
  func failures(task: TinyTask) throws {
    let place = try Place(task)
    let missing = place.folder.path("none.png")
    let images = [place.flag, place.broken, place.gray, missing, place.flag]
    let call = [task.rawValue, "--model", place.model]
    let lines = try Tool.run(call + images + ["--jsonl"])
    #expect(lines.status == 1 && lines.error.isEmpty, "\(lines.error)")
    let objects = try array("[" + lines.output.split(separator: "\n").joined(separator: ",") + "]")
    #expect(objects.map { $0["image"] as? String } == images)
    #expect(objects.map { $0["error"] == nil } == [true, false, true, false, true])
    for index in [1, 3] { #expect(Set(objects[index].keys) == ["image", "error"]) }
    #expect((objects[3]["error"] as? String)?.hasPrefix("there is no such file") == true)
    let document = try Tool.run(call + images + ["--json"])
    #expect(document.status == 1 && document.error.isEmpty)
    #expect(document.output == "[" + lines.output.split(separator: "\n").joined(separator: ",") + "]\n")
    let text = try Tool.run(call + images)
    let errors = text.error.split(separator: "\n")
    #expect(text.status == 1 && errors.count == 2 && !text.output.contains("error"))
    #expect(errors[0].hasPrefix("error: \(place.broken): ") && errors[1].hasPrefix("error: \(missing): "))
    let list = try Tool.run(call + ["--stdin-list", "--jsonl"], input: Array("-\n\(place.flag)\n".utf8))
    #expect(list.status == 1 && list.output.split(separator: "\n").count == 2)
    #expect(list.output.hasPrefix("{\"image\":\"-\",\"error\":\"standard input holds the list"))
  }

  @Test("end at the first invalid image if requested, with the previous results", arguments: commands)
  func failFast(task: TinyTask) throws {
    let place = try Place(task)
    let call = [task.rawValue, place.flag, place.broken, place.gray, "--model", place.model, "--fail-fast"]
    let done = try Tool.run(task.rawValue, place.flag, "--model", place.model, "--json").output
    for (form, output) in [("--jsonl", done), ("--json", "[" + done.dropLast() + "]\n")] {
      let result = try Tool.run(call + [form])
      #expect(result.status == 1 && result.output == output)
      #expect(result.error.hasPrefix("error: \(place.broken): ") && result.error.filter { $0 == "\n" }.count == 1)
    }
    let first = try Tool.run(task.rawValue, place.broken, place.flag, "--model", place.model, "--fail-fast", "--json")
    #expect(first.status == 1 && first.output.isEmpty)
  }

  @Test("print the same for any number of jobs, in the order of the images", arguments: commands)
  func jobs(task: TinyTask) throws {
    let place = try Place(task)
    // The first ones take the longest.
    let images = try (0..<60).map { index in
      index % 9 == 4
        ? place.folder.path("none\(index).png")
        : try GrayImage.write(
          to: place.folder, as: "g\(index).png", width: 4 + (60 - index) * 8, height: 40, value: UInt8(index * 4))
    }
    for form in [[], ["--jsonl"], ["--json"]] {
      let results = try ["1", "2", "7"].map { jobs in
        try Tool.run([task.rawValue, "--model", place.model, "--jobs", jobs] + images + form)
      }
      #expect(results.allSatisfy { $0.status == 1 && $0.output == results[0].output && $0.error == results[0].error })
      let byDefault = try Tool.run(
        [task.rawValue, "--model", place.model, "--stdin-list"] + form,
        input: Array(images.joined(separator: "\n").utf8))
      #expect(byDefault.output == results[0].output && byDefault.error == results[0].error)
    }
    let lines = try Tool.run([task.rawValue, "--model", place.model, "--jobs", "3", "--jsonl"] + images)
    #expect(lines.output.split(separator: "\n").count == 60)
    for (line, image) in zip(lines.output.split(separator: "\n"), images) {
      #expect(line.hasPrefix("{\"image\":\"\(image)\""))
    }
  }

  @Test(
    "masks of two images with the same name are an error of the later one, for any job count", arguments: ["1", "4"])
  func namesOfMasks(jobs: String) throws {
    let place = try Place(.segment)
    let masks = place.folder.path("masks")
    let result = try Tool.run(
      "segment", place.flag, place.gray, place.flag, "--model", place.model, "--confidence-masks", masks, "--jsonl",
      "--jobs", jobs)
    let objects = try array("[" + result.output.split(separator: "\n").joined(separator: ",") + "]")
    #expect(result.status == 1 && objects.map { $0["error"] == nil } == [true, true, false])
    #expect((objects[2]["error"] as? String)?.contains("'flag'") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: masks).sorted() == ["flag", "gray"])
  }

  @Test("a stateful model receives the images in order", arguments: [["--jobs", "1"], ["--jobs", "4"], []])
  func variables(jobs: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(SmallModels.counter, to: "counter.tflite")
    // The first ones take the longest to decode.
    let images = try (0..<40).map { index in
      try GrayImage.write(to: folder, as: "g\(index).png", width: 4 + (40 - index) * 8, height: 40)
    }
    let lines = try Tool.run(["classify", "--model", model, "--jsonl", "--max-results", "1"] + jobs + images)
    #expect(lines.status == 0, "\(lines.error)")
    let scores = try array("[" + lines.output.split(separator: "\n").joined(separator: ",") + "]").map { object in
      let heads = object["classifications"] as? [[String: Any]]
      return ((heads?.first?["categories"] as? [[String: Any]])?.first?["score"] as? NSNumber)?.intValue
    }
    #expect(scores == Array(1...40))
  }

  @Test("an error quotes the beginning of a long line, and lines have a maximum length")
  func longLines() throws {
    let place = try Place(.classify)
    let call = ["classify", "--model", place.model, "--stdin-list", "--jsonl"]
    let path = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    let text = try Tool.run(Array(call.dropLast()), input: path + Array("\n\(place.flag)\n".utf8))
    #expect(text.status == 1 && text.error.utf8.count < 500 && text.error.contains("x…x"), "\(text.error)")
    #expect(text.output.hasPrefix(place.flag))
    let tooLong = try Tool.run(call, input: [UInt8](repeating: 0, count: 1 << 26 + 1))
    #expect(tooLong.status == 1 && tooLong.output.isEmpty)
    #expect(tooLong.error == "error: standard input: a line has more than the 67108864 bytes that it may have\n")
  }

  @Test("dependent images are not processed concurrently")
  func state() throws {
    let call = ["landmark-holistic", "a.png", "b.png", "--model", "m.task", "--keep-state"]
    let refused = try Tool.run(call + ["--jobs", "2"])
    #expect(refused.status == 2 && refused.error.contains("one after the other"), "\(refused.error)")
    // Without --jobs there is one job, and the error is another.
    #expect(try Tool.run(call).status == 1)
  }

  // MARK: Streams

  /// The running program, with its standard streams controlled by the test.
  private final class Running {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    private var bytes: [UInt8] = []

    init(_ arguments: [String]) throws {
      process.executableURL = URL(fileURLWithPath: Tool.path(of: "swiftlet"))
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Waits for the next line of the output and returns it.
    func line() -> String? {
      while true {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          defer { bytes.removeFirst(end + 1) }
          return String(decoding: bytes[..<end], as: UTF8.self)
        }
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { return nil }
        bytes += more
      }
    }
  }

  @Test("a list is processed while it is read, and results are printed as soon as possible", arguments: ["1", "2"])
  func streaming(jobs: String) throws {
    let place = try Place(.classify)
    let program = try Running(["classify", "--model", place.model, "--stdin-list", "--jsonl", "--jobs", jobs])
    for image in [place.flag, place.broken, place.gray, place.flag] {
      // Write the next path only after this one's line has arrived.
      try program.write(image + "\n")
      #expect(program.line()?.hasPrefix("{\"image\":\"\(image)\"") == true)
    }
    try program.input.fileHandleForWriting.close()
    #expect(program.line() == nil)
    program.process.waitUntilExit()
    #expect(program.process.terminationStatus == 1)
  }

  @Test("a list is read only as far as it is processed")
  func readAhead() throws {
    let place = try Place(.embed)
    let program = try Running(["embed", "--model", place.model, "--stdin-list", "--jsonl"])
    let descriptor = program.input.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
    // Nobody reads the results, so the output pipe fills up. Then the program stops reading, and the input pipe fills
    // up too.
    let line = Array((place.flag + "\n").utf8)
    let lines = Array((0..<1000).map { _ in line }.joined())
    var count = 0, pauses = 0
    while pauses < 100, count < 20_000_000 {
      let written = lines.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        count += written
        pauses = 0
      } else {
        pauses += 1
        usleep(10_000)
      }
    }
    // The limit covers two pipes of 64 KiB, the size of one read, and the lines in the program.
    #expect(count < 1_000_000)
  }

  @Test("processing stops if the reader of the results disconnects")
  func closedOutput() throws {
    let place = try Place(.classify)
    let program = try Running(["classify", "--model", place.model, "--stdin-list", "--jsonl"])
    try program.write(place.flag + "\n")
    #expect(program.line() != nil)
    try program.output.fileHandleForReading.close()
    // More input follows, but the program ends.
    try program.write(place.flag + "\n" + place.flag + "\n")
    program.process.waitUntilExit()
    // The signal terminates the program, unless the parent process ignores it.
    let status = program.process.terminationStatus
    #expect(program.process.terminationReason == .exit ? status == 0 : status == SIGPIPE)
  }

  @Test("a line on a terminal counts images, failures, and images per second", .enabled(if: Terminal.isAvailable))
  func progress() throws {
    let place = try Place(.classify)
    let shown = try Terminal.text(
      of: ["classify", place.broken, place.flag, place.gray, "--model", place.model], environment: [:],
      redirection: ">/dev/null")
    #expect(
      shown.contains("\r\u{1B}[K" + "images ") && shown.contains("1/3, 1 failed, ") && shown.contains(" a second"))
    // The error has a line of its own, and the progress line is erased.
    #expect(shown.contains("error:") && shown.hasSuffix("\r\u{1B}[K"))
    let alone = try Terminal.text(of: ["classify", place.flag, "--model", place.model], environment: [:])
    #expect(!alone.contains("a second"))
  }
}

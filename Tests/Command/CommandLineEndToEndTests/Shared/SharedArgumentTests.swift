import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletBase
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Options that commands share")
struct SharedArgumentTests {
  private func parse(
    _ words: [String], operands: [String] = ["p.png"], for command: any ToolCommand.Type = ClassifyCommand.self
  ) throws -> Arguments {
    try Arguments(words + operands, for: command.declaration)
  }

  private func message(_ body: () throws -> Void) -> String {
    let error: UsageError? = thrownError(body)
    return error?.message ?? "taken"
  }

  // MARK: Runtime

  @Test("runtime options have the documented defaults, and each sets its own property")
  func runtime() throws {
    let defaults = RuntimeArguments.options(try parse([]))
    #expect(defaults.threads == ProcessInfo.processInfo.activeProcessorCount && defaults.numerics == .fast)
    #expect(defaults.precision == .full && defaults.timeout == nil && !defaults.isChecked)
    let given = RuntimeArguments.options(
      try parse(["--threads", "3", "--numerics", "bit-exact", "--precision", "reduced", "--timeout", "1.5"]))
    #expect(given.threads == 3 && given.numerics == .bitExact && given.precision == .reduced)
    #expect(given.timeout == .milliseconds(1500))
  }

  @Test(
    "limits of runtime options",
    arguments: [
      ("threads", "1", true), ("threads", "1024", true), ("threads", "0", false), ("threads", "1025", false),
      ("timeout", "0.001", true), ("timeout", "1000000", true), ("timeout", "0.0009", false),
      ("timeout", "1000001", false), ("jobs", "1", true), ("jobs", "256", true), ("jobs", "0", false),
      ("jobs", "257", false), ("max-results", "1", true), ("max-results", "0", false),
    ])
  func limits(option: String, value: String, isTaken: Bool) {
    #expect((message { _ = try parse(["--" + option, value]) } == "taken") == isTaken)
  }

  @Test("several jobs run on one thread each, unless threads are requested")
  func threadsOfJobs() throws {
    let model = ModelSource.file("m")
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let one = RuntimeArguments.baseOptions(model, try parse([]), jobs: 1)
    #expect(one.threads == cores && one.maxConcurrentCalls == 1)
    let two = RuntimeArguments.baseOptions(model, try parse([]), jobs: 2)
    #expect(two.threads == 1 && two.maxConcurrentCalls == 2)
    #expect(RuntimeArguments.baseOptions(model, try parse(["--threads", "3"]), jobs: 2).threads == 3)
    let options = RuntimeArguments.baseOptions(
      model, try parse(["--numerics", "bit-exact", "--precision", "reduced", "--timeout", "2"]), jobs: 1)
    #expect(options.numerics == .bitExact && options.precision == .reduced && options.timeout == .seconds(2))
  }

  @Test("lists have one job per core, and dependent results a single job")
  func jobs() throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    func jobs(_ words: [String], isList: Bool, for command: any ToolCommand.Type = ClassifyCommand.self) throws -> Int {
      BatchArguments.jobs(try parse(words, for: command), isList: isList)
    }
    #expect(try jobs([], isList: true) == cores && jobs([], isList: false) == 1)
    #expect(try jobs(["--jobs", "7"], isList: true) == 7 && jobs(["--jobs", "7"], isList: false) == 1)
    #expect(try jobs(["--threads", "1"], isList: true) == cores)
    #expect(try jobs(["--threads", "2"], isList: true) == max(1, cores / 2))
    #expect(try jobs(["--threads", "1000"], isList: true) == 1)
    #expect(try jobs(["--checked"], isList: true) == 1)
    let holistic = LandmarkHolisticCommand.self
    #expect(try jobs(["--keep-state"], isList: true, for: holistic) == 1)
    #expect(try jobs(["--keep-state", "--jobs", "2"], isList: true, for: holistic) == 2)
    #expect(try jobs(["--video", "--jobs", "2"], isList: true, for: holistic) == 1)
    #expect(try jobs([], isList: true, for: TrackCommand.self) == 1, "it takes no --jobs")
  }

  @Test("state between images and several jobs are mutually exclusive")
  func keptState() throws {
    let two = try parse(
      ["--keep-state", "--jobs", "2"], operands: ["a.png", "b.png"], for: LandmarkHolisticCommand.self)
    #expect(
      message { _ = try BatchRunner(two, .images, Operands(files: two, .images)) }
        == "--keep-state takes images one after the other, --jobs several at once; leave one of them away")
    let one = try parse(
      ["--keep-state", "--jobs", "1"], operands: ["a.png", "b.png"], for: LandmarkHolisticCommand.self)
    #expect(message { _ = try BatchRunner(one, .images, Operands(files: one, .images)) } == "taken")
  }

  // MARK: Operands

  @Test("operands are files, or a list on standard input, and at least one")
  func operands() throws {
    func operands(_ words: [String], _ names: [String], _ subject: BatchSubject = .images) throws -> Operands {
      try Operands(files: parse(words, operands: names), subject)
    }
    let one = try operands([], ["a"])
    #expect(!one.isList && !one.readsLines && one.total == 1)
    let two = try operands([], ["a", "-"])
    #expect(two.isList && !two.readsLines && two.total == 2)
    let list = try operands(["--stdin-list"], [])
    #expect(list.isList && list.readsLines && list.total == nil)
    #expect(message { _ = try operands([], []) } == "at least one image is needed")
    #expect(message { _ = try operands([], [], .audioFiles) } == "at least one audio file is needed")
    #expect(
      message { _ = try operands(["--stdin-list"], ["a"]) }
        == "--stdin-list and images on the command line are mutually exclusive")
    #expect(
      message { _ = try operands([], ["-", "a", "-"]) } == "standard input holds one image, '-' is given twice")
  }

  @Test("texts are read from standard input at most once")
  func texts() throws {
    func runner(_ texts: String...) throws -> TextRunner {
      try TextRunner(parse([], operands: texts, for: EmbedTextCommand.self))
    }
    #expect(message { _ = try runner() } == "at least one text is needed, or - for texts on standard input")
    #expect(message { _ = try runner("-", "-") } == "standard input is given twice")
    #expect(message { _ = try runner("-", "a") } == "taken")
    func base(_ words: [String], _ texts: [String]) throws -> BaseOptions {
      try TextRunner.baseOptions(parse(words, operands: texts, for: EmbedTextCommand.self))
    }
    let needed = "--model is required: there is no bundled model for this command"
    #expect(
      message { _ = try base([], ["a"]) } == needed && message { _ = try base(["--model", ""], ["a"]) } == needed)
    let words = ["--model", "m.tflite", "--jobs", "3"]
    #expect(try base(words, ["a"]).maxConcurrentCalls == 1 && base(words, ["a", "b"]).maxConcurrentCalls == 3)
    #expect(try base(words, ["-"]).maxConcurrentCalls == 3 && base(words, ["a"]).model.path == "m.tflite")
  }

  @Test("two or more operands are a list of images")
  func batchOptions() throws {
    func jobs(_ words: [String], _ operands: [String]) throws -> Int {
      TaskArguments.batchOptions(.file("m"), try parse(words + ["--jobs", "3"], operands: operands)).maxConcurrentCalls
    }
    #expect(try jobs([], ["a"]) == 1 && jobs([], ["a", "b"]) == 3 && jobs(["--stdin-list"], []) == 3)
  }

  // MARK: Images

  @Test("normalization has one or three numbers per part, and both parts")
  func normalization() throws {
    func normalization(_ words: [String]) throws -> InputNormalization? {
      try TaskArguments.baseOptions(.file("m"), parse(words)).inputNormalization
    }
    #expect(try normalization([]) == nil)
    #expect(
      try normalization(["--input-mean", "127.5", "--input-deviation", "127"])
        == InputNormalization(mean: [127.5], standardDeviation: [127]))
    #expect(
      try normalization(["--input-mean", "1,2,3", "--input-deviation", "4"])
        == InputNormalization(mean: [1, 2, 3], standardDeviation: [4, 4, 4]))
    #expect(
      try normalization(["--input-mean", "0", "--input-deviation", "4,5,6"])
        == InputNormalization(mean: [0, 0, 0], standardDeviation: [4, 5, 6]))
    let together = "--input-mean and --input-deviation belong together"
    #expect(message { _ = try normalization(["--input-mean", "1"]) } == together)
    #expect(message { _ = try normalization(["--input-deviation", "1"]) } == together)
    for mean in ["-0.1", "255.1", "nan", "1,2", "1,2,3,4", "", "x", "1,,3"] {
      #expect(
        message { _ = try normalization(["--input-mean", mean, "--input-deviation", "1"]) }
          == "--input-mean takes one number or three, for red, green and blue, such as 127.5, got '\(mean)'")
    }
    for deviation in ["0", "-1", "inf", "nan"] {
      #expect(
        message { _ = try normalization(["--input-mean", "255", "--input-deviation", deviation]) }
          == "--input-deviation takes one number or three, for red, green and blue, such as 127.5, got '\(deviation)'")
    }
  }

  @Test("a region of interest is a rectangle within the image")
  func regionOfInterest() throws {
    func region(_ text: String) throws -> NormalizedRect? {
      try TaskArguments.regionOfInterest(parse(["--roi", text]))
    }
    #expect(try TaskArguments.regionOfInterest(parse([])) == nil)
    #expect(try region("0,0,1,1") == NormalizedRect(left: 0, top: 0, right: 1, bottom: 1))
    #expect(try region("0.125,0.25,0.5,0.75") == NormalizedRect(left: 0.125, top: 0.25, right: 0.5, bottom: 0.75))
    for text in [
      "0,0,1", "0,0,1,1,1", "-0.1,0,1,1", "0,-0.1,1,1", "0,0,1.1,1", "0,0,1,1.1", "0.5,0,0.5,1", "0,0.5,1,0.5",
      "0.6,0,0.5,1", "0,0.6,1,0.5", "a,0,1,1", "", "0,nan,1,1",
    ] {
      #expect(
        message { _ = try region(text) }
          == "--roi takes left,top,right,bottom from 0 to 1, such as 0.25,0,0.75,0.5, got '\(text)'")
    }
  }

  @Test(
    "an image is rotated clockwise by the given angle",
    arguments: [("0", ImageOrientation.up), ("90", .right), ("180", .down), ("270", .left)])
  func rotation(angle: String, orientation: ImageOrientation) throws {
    #expect(TaskArguments.orientation(try parse(["--rotate", angle])) == orientation)
    #expect(TaskArguments.orientation(try parse([])) == .up)
  }

  @Test("categories have the documented defaults, and lists are mutually exclusive")
  func categories() throws {
    let defaults = try CategoryArguments(parse([]))
    #expect(defaults.locale == "en" && defaults.maxResults == nil && defaults.scoreThreshold == 0)
    #expect(defaults.allowed == [] && defaults.denied == [])
    let given = try CategoryArguments(
      parse(["--locale", "de", "--max-results", "3", "--score-threshold", "0.25", "--allow", "a,b"]))
    #expect(given.locale == "de" && given.maxResults == 3 && given.scoreThreshold == 0.25)
    #expect(given.allowed == ["a", "b"] && given.denied == [])
    let denied = try CategoryArguments(parse(["--deny", "c"]))
    #expect(denied.allowed == [] && denied.denied == ["c"])
    #expect(
      message { _ = try CategoryArguments(parse(["--allow", "a", "--deny", "b"])) }
        == "--allow and --deny are mutually exclusive")
  }

  @Test("without --model, the bundled model is used, and an empty name is rejected")
  func defaultModel() throws {
    let own = try TaskArguments.baseOptions(parse([]), default: .imageClassifier)
    #expect(own.model == .embedded(.imageClassifier) && own.modelName == "the bundled model")
    let named = try TaskArguments.baseOptions(parse(["--model", "m.tflite"]), default: .imageClassifier)
    #expect(named.model.path == "m.tflite" && named.modelName == "m.tflite")
    #expect(
      message { _ = try TaskArguments.baseOptions(parse(["--model", ""]), default: .imageClassifier) }
        == "--model must not be empty; omit it to use the bundled model")
    let texts = try parse(["--model", ""], operands: ["t"], for: ClassifyTextCommand.self)
    #expect(
      message { _ = try ToolModel.textClassifier.orNamed(texts) }
        == "--model must not be empty; omit it to use the bundled model")
    #expect(ToolModel.allCases.map(\.fileName) == ["audio_classifier_int8.tflite", "text_classifier_int8.tflite"])
  }

  @Test("the bundled models equal the files of the package", arguments: ToolModel.allCases)
  func ownModels(model: ToolModel) throws {
    let file = try Model(contentsOf: TestData.packagePath + "/Models/" + model.fileName)
    #expect(model.source != ToolModel.allCases.first { $0 != model }?.source)
    #expect(file.file.bytes.count > 1000)
  }

  @Test("points and scribbles are mutually exclusive")
  func regions() throws {
    let folder = try TemporaryFolder()
    func region(_ words: String...) throws -> InteractiveRegion? {
      try RegionArguments.region(parse(words, for: SegmentCommand.self))
    }
    #expect(try region() == nil)
    #expect(try region("--point", "0.25, -3") == .point(NormalizedPoint(x: 0.25, y: -3)))
    #expect(
      message { _ = try region("--point", "0,0", "--scribble", "f") } == "--point and --scribble are mutually exclusive"
    )
    for text in ["0.5", "1,2,3", "nan,0", "0,inf", "a,b", ""] {
      #expect(
        message { _ = try region("--point", text) }
          == "--point takes two numbers, fractions of the width and height, such as 0.5,0.25, got '\(text)'")
    }
    let file = try folder.write(Array("0.5,0.25\r\n\n  1 , 0 \n".utf8), to: "s.txt")
    #expect(
      try region("--scribble", file)
        == .scribble([NormalizedPoint(x: 0.5, y: 0.25), NormalizedPoint(x: 1, y: 0)]))
    for (text, reason) in [
      ("0,0\n\n1;2", "line 3: expected X,Y such as 0.5,0.25, got '1;2'"),
      ("\n \n", "has no points; it takes one X,Y a line"),
      ("", "has no points; it takes one X,Y a line"),
      (
        String(repeating: "x", count: 201),
        "line 1: expected X,Y such as 0.5,0.25, got '\(String(repeating: "x", count: 201).excerpt)'"
      ),
    ] {
      let path = try folder.write(Array(text.utf8), to: "bad.txt")
      let error: ToolError? = thrownError { try region("--scribble", path) }
      #expect(error?.file == path && error?.reason == reason)
    }
  }

  // MARK: Frames

  @Test("raw frames have a size within the limits of images")
  func rawFrames() throws {
    func source(_ words: [String], _ operands: [String]) throws -> FrameSource {
      try FrameSource(parse(words, operands: operands, for: TrackCommand.self))
    }
    for size in ["1x1", "640x480", "65535x1", "1x65535", "10000x10000"] {
      #expect(message { _ = try source(["--raw", size], ["-"]) } == "taken", "\(size)")
    }
    for size in ["0x1", "1x0", "65536x1", "1x65536", "10000x10001", "640", "640x480x3", "axb", "-1x-1", ""] {
      #expect(
        message { _ = try source(["--raw", size], ["-"]) } == "--raw takes a size such as 640x480, got '\(size)'")
    }
    #expect(message { _ = try source([], ["-", "a"]) } == "'-' stands for all frames; no others can be given with it")
    #expect(
      message { _ = try source(["--raw", "2x2"], ["a"]) } == "--raw is for frames on standard input; give '-' for them")
  }

  @Test("image and video options are mutually exclusive")
  func videos() throws {
    func runner(_ words: String..., operands: [String] = ["a"]) throws -> LandmarkRunner {
      try LandmarkRunner(parse(words, operands: operands, for: LandmarkPosesCommand.self))
    }
    #expect(message { _ = try runner("--video", operands: []) } == "--video takes the frames of a video, none is given")
    for (option, value) in [("annotate", "a.png"), ("jobs", "2")] {
      #expect(
        message { _ = try runner("--video", "--" + option, value) }
          == "--\(option) is for single images; with --video, give folders of frames and --annotate-dir DIR")
    }
    #expect(
      message { _ = try runner("--video", "--stdin-list") }
        == "--stdin-list is for single images; with --video, give folders of frames and --annotate-dir DIR")
    for (option, value) in [("fps", "2"), ("step-ms", "2"), ("raw", "1x1"), ("annotate-dir", "d")] {
      #expect(
        message { _ = try runner("--" + option, value) } == "--\(option) is for the frames of a video; add --video")
    }
    #expect(
      message { _ = try runner("--video", "--fps", "2", "--step-ms", "3") }
        == "--fps and --step-ms are mutually exclusive")
    #expect(try runner("--video").isList)
    #expect(try !runner().isList && runner(operands: ["a", "b"]).isList)
  }

  @Test(
    "limits of video options",
    arguments: [
      ("fps", "0.001", true), ("fps", "10000", true), ("fps", "0.0009", false), ("fps", "10001", false),
      ("step-ms", "1", true), ("step-ms", "86400000", true), ("step-ms", "0", false), ("step-ms", "86400001", false),
      ("num-poses", "1", true), ("num-poses", "1000", true), ("num-poses", "0", false), ("num-poses", "1001", false),
      ("min-tracking-confidence", "1", true), ("min-tracking-confidence", "1.1", false),
    ])
  func videoLimits(option: String, value: String, isTaken: Bool) {
    let words = ["--video", "--" + option, value]
    #expect((message { _ = try parse(words, for: LandmarkPosesCommand.self) } == "taken") == isTaken)
  }

  // MARK: Forms

  @Test("forms of output are mutually exclusive")
  func forms() throws {
    #expect(try OutputForm(parse([])) == .text && OutputForm(parse(["--json"])) == .document)
    #expect(try OutputForm(parse(["--jsonl"])) == .lines)
    #expect(
      message { _ = try OutputForm(parse(["--json", "--jsonl"])) } == "--json and --jsonl are mutually exclusive")
    let result = Comparison(key: "k", names: ["n"], shown: ["s"], similarity: 1)
    #expect(try OutputForm.text.rendered(result) == result.text)
    #expect(try OutputForm.lines.rendered(result) == result.json.text)
    #expect(try OutputForm.document.rendered(result) == result.json.text)
  }

  @Test("a page has one of two names")
  func page() throws {
    func path(_ words: String...) throws -> String? { try PageArgument.path(parse(words, for: InspectCommand.self)) }
    #expect(try path() == nil && path("--html", "a") == "a" && path("--report", "b") == "b")
    #expect(
      message { _ = try path("--html", "a", "--report", "b") }
        == "--html and --report are the same option; give one of them")
  }

  @Test("an annotated image is one PNG or JPEG file")
  func annotation() throws {
    func annotation(_ path: String, isList: Bool = false) throws -> Annotation? {
      try Annotation(parse(["--annotate", path]), isList: isList)
    }
    #expect(try Annotation(parse([]), isList: true) == nil)
    for path in ["a.png", "a.PNG", "a.jpg", "a.jpeg"] { #expect(try annotation(path) != nil) }
    for path in ["a.gif", "png", "a.png.txt", ""] {
      #expect(
        path == "png" || message { _ = try annotation(path) } == "--annotate writes .png or .jpg, got '\(path)'",
        "\(path)")
    }
    #expect(
      message { _ = try annotation("a.png", isList: true) }
        == "--annotate takes one image; call the program once for each")
  }

  @Test("a flag that changes the operation allows only some options")
  func requireAlone() throws {
    func check(_ words: String...) throws {
      try BenchCommand.requireAlone("compare", besides: ["json"], parse(words, for: BenchCommand.self))
    }
    #expect(message { try check("--compare", "--json") } == "taken")
    #expect(message { try check("--compare", "--profile") } == "--compare and --profile are mutually exclusive")
  }
}

import SwiftletAudio
import SwiftletCommandLine
import SwiftletModels
import SwiftletText
import SwiftletTracking
import SwiftletVision

extension StudioTask.Bundled {
  init(_ model: EmbeddedModel) {
    source = .embedded(model)
    name = "Bundled \(model.rawValue.replacing("_", with: " "))"
    note = "trained on synthetic images, and doesn't generalize to photos"
  }

  init(_ model: ToolModel) {
    source = model.source
    name = "Bundled \(model.rawValue.replacing("_", with: " "))"
    note = "trained on synthetic data, and doesn't generalize to recordings or other texts"
  }
}

extension StudioTask {
  static let vision: [StudioTask] = [
    StudioTask(
      id: "detect-faces", title: "Face detection", summary: "Boxes of faces, with six keypoints each.",
      declaration: DetectFacesCommand.declaration, published: .detectFaces, bundled: Bundled(.faceDetector),
      controls: [
        .confidence("min-confidence", "Minimum confidence", "minDetectionConfidence"),
        .confidence("min-suppression", "Overlap of two faces", "minSuppressionThreshold", standard: "0.3"),
      ],
      code: .vision("FaceDetector", call: "faces(in: $)", each: "print(item.score, item.box)")
    ) { arguments, base in
      let task = try FaceDetector(options: DetectFacesCommand.options(arguments, base))
      return .vision(task, { try task.faces(in: $0) }) {
        StudioResult(DetectionResult(path: $0.name, image: $0.image, faces: $1))
      }
    },
    StudioTask(
      id: "detect-objects", title: "Object detection", summary: "Boxes of objects, with their categories.",
      declaration: DetectObjectsCommand.declaration, published: .detectObjects, bundled: Bundled(.objectDetector),
      controls: StudioControl.categories,
      code: .vision("ObjectDetector", call: "objects(in: $)", each: "print(item.categories, item.box)")
    ) { arguments, base in
      let task = try ObjectDetector(options: DetectObjectsCommand.options(try CategoryArguments(arguments), base))
      return .vision(task, { try task.objects(in: $0) }) {
        StudioResult(DetectionResult(path: $0.name, image: $0.image, objects: $1))
      }
    },
    StudioTask(
      id: "segment", title: "Segmentation", summary: "The category of every pixel.",
      declaration: SegmentCommand.declaration, published: .segment, bundled: Bundled(.imageSegmenter), controls: [],
      code: .vision(
        "ImageSegmenter", call: "segmentation(of: $)", fixed: "outputs: .categoryMask",
        whole: "if let mask = result.categoryMask { print(mask.width, mask.height, mask.pixels.count) }")
    ) { _, base in
      let task = try ImageSegmenter(
        options: ImageSegmenterOptions(
          baseOptions: RuntimeArguments.withRoomForMasks(base), outputs: .categoryMask))
      return .vision(task, { try task.segmentation(of: $0) }) { input, found in
        try segmentation(input.image, found, labels: task.labels)
      }
    },
    StudioTask(
      id: "segment-point", title: "Interactive segmentation", summary: "The object at a point that you choose.",
      input: .imagePoint, isLive: false, declaration: SegmentCommand.declaration, published: .segment, controls: [],
      code: .interactive
    ) { _, base in
      let task = try InteractiveSegmenter(
        options: InteractiveSegmenterOptions(
          baseOptions: RuntimeArguments.withRoomForMasks(base), outputs: .categoryMask))
      return StudioRunnable {
        guard case .point(let image, let point) = $0 else { throw UsageError("the task takes an image and a point") }
        return try segmentation(
          image, try task.segmentation(of: image, region: .point(point)), labels: task.labels)
      }
    },
    StudioTask(
      id: "classify", title: "Classification", summary: "The categories of the whole image.",
      declaration: ClassifyCommand.declaration, published: .classify, bundled: Bundled(.imageClassifier),
      controls: StudioControl.categories,
      code: .vision("ImageClassifier", call: "classification(of: $)", whole: "print(result.categories)")
    ) { arguments, base in
      let categories = try CategoryArguments(arguments)
      let task = try ImageClassifier(options: ClassifyCommand.options(categories, base))
      return .vision(task, { try task.classification(of: $0) }) {
        StudioResult(
          ClassificationsResult(path: $0.name, classification: $1, shownCount: categories.maxResults ?? 5))
      }
    },
    StudioTask(
      id: "embed", title: "Image similarity", summary: "How similar two images are, by their embeddings.",
      input: .imagePair, isLive: false, declaration: EmbedCommand.declaration, published: .embed,
      bundled: Bundled(.imageEmbedder), controls: StudioControl.embedding, code: .imagePair
    ) { arguments, base in
      let task = try ImageEmbedder(options: EmbedCommand.options(arguments, base))
      return .similarity {
        guard case .images(let first, let second) = $0 else { throw UsageError("the task takes two images") }
        return (try task.embedding(of: first), try task.embedding(of: second))
      }
    },
    StudioTask(
      id: "track", title: "Object tracking", summary: "Objects in a video, each with an ID and a trail.",
      declaration: TrackCommand.declaration, published: .detectObjects, bundled: Bundled(.objectDetector),
      controls: [
        .flag("multiple", "Several objects", .argument("allowsMultipleObjects")),
        StudioControl(
          name: "max-objects", label: "Maximum number of objects", kind: .integer(1...20), standard: "5",
          place: .argument("maxObjectCount")),
      ],
      code: .tracking
    ) { arguments, base in
      let options = ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: base), allowsMultipleObjects: arguments.flag("multiple"),
        maxObjectCount: arguments.int("max-objects") ?? 5)
      let task = try ObjectTracker(options: options)
      @Sendable func result(_ image: InputImage, _ objects: [TrackedObject], _ time: Duration) -> StudioResult {
        let frame = FrameSource.Frame(index: 0, image: image)
        return StudioResult(
          TrackedFrameResult(frame: frame, timestampInMilliseconds: time / .milliseconds(1), objects: objects))
      }
      return StudioRunnable {
        guard case .image(let image) = $0 else { throw UsageError("the task takes an image") }
        return result(image, try task.objects(in: image), .zero)
      } video: {
        let video = task.video()
        return { result($0, try video.objects(in: $0, at: $1), $1) }
      }
    },
  ]

  /// Returns the result of a segmentation task.
  private static func segmentation(
    _ image: InputImage, _ found: Segmentation, labels: [String]
  ) throws -> StudioResult {
    guard let mask = found.categoryMask else { throw UsageError("the model gave no category mask") }
    let result = SegmentationResult(
      path: "image", image: image, labels: labels, mask: mask, qualityScores: found.qualityScores)
    return StudioResult(result, masks: [StudioMask(mask)])
  }

  private static let confidences: [StudioControl] = [
    .confidence("min-detection-confidence", "Minimum detection confidence", "minDetectionConfidence"),
    .confidence("min-presence-confidence", "Minimum presence confidence", "minPresenceConfidence"),
    .confidence("min-tracking-confidence", "Minimum tracking confidence", "minTrackingConfidence"),
  ]

  static let landmarks: [StudioTask] = [
    StudioTask(
      id: "landmark-faces", title: "Face landmarks", summary: "478 points of each face, and 52 blendshapes.",
      declaration: LandmarkFacesCommand.declaration, published: .landmarkFaces,
      controls: [.count("num-faces", "Maximum number of faces", "maxFaces")] + confidences + [
        .flag("blendshapes", "Blendshapes", .output("blendshapes")),
        .flag("matrices", "Transformation matrices", .output("transformationMatrices")),
      ],
      code: .vision(
        "FaceLandmarker", call: "faces(in: $)", each: "print(item.landmarks.count, item.blendshapes as Any)"),
      edges: ["face-mesh": FaceLandmarks.tesselation, "face-contours": FaceLandmarks.contours]
    ) { arguments, base in
      let task = try FaceLandmarker(options: LandmarkFacesCommand.options(arguments, base))
      return .vision(task, { try task.faces(in: $0) }) { StudioResult(FacesResult(input: $0, faces: $1)) }
    },
    StudioTask(
      id: "landmark-hands", title: "Hand landmarks",
      summary: "21 points of each hand, and whether it is left or right.",
      declaration: LandmarkHandsCommand.declaration, published: .landmarkHands,
      controls: [.count("num-hands", "Maximum number of hands", "maxHands")] + confidences,
      code: .vision("HandLandmarker", call: "hands(in: $)", each: "print(item.handedness, item.landmarks)"),
      edges: ["hand": HandLandmarks.connections]
    ) { arguments, base in
      let task = try HandLandmarker(options: LandmarkHandsCommand.options(arguments, base))
      return .vision(task, { try task.hands(in: $0) }) { StudioResult(HandsResult(input: $0, hands: $1)) }
    },
    StudioTask(
      id: "recognize-gestures", title: "Gesture recognition", summary: "The gesture of each hand, with its landmarks.",
      declaration: RecognizeGesturesCommand.declaration, published: .recognizeGestures,
      controls: [.count("num-hands", "Maximum number of hands", "maxHands")] + confidences + [
        StudioControl(
          name: "canned-threshold", label: "Minimum score of gestures", kind: .number(0...1, step: 0.01),
          standard: "0",
          place: .nested("cannedGestures", type: "GestureClassifierOptions", "scoreThreshold"))
      ],
      code: .vision(
        "GestureRecognizer", call: "gestures(in: $)", each: "print(item.gesture as Any, item.hand.landmarks)"),
      edges: ["hand": HandLandmarks.connections]
    ) { arguments, base in
      let task = try GestureRecognizer(options: RecognizeGesturesCommand.options(arguments, base))
      return .vision(task, { try task.gestures(in: $0) }) { StudioResult(HandsResult(input: $0, recognized: $1)) }
    },
    StudioTask(
      id: "landmark-poses", title: "Pose landmarks", summary: "33 points of each body, and a mask of the person.",
      declaration: LandmarkPosesCommand.declaration, published: .landmarkPoses,
      controls: [.count("num-poses", "Maximum number of poses", "maxPoses")] + confidences + [
        .flag("masks", "Segmentation masks", .output("segmentationMasks"))
      ],
      code: .vision("PoseLandmarker", call: "poses(in: $)", each: "print(item.landmarks, item.worldLandmarks)"),
      edges: ["pose": PoseLandmarks.connections]
    ) { arguments, base in
      let task = try PoseLandmarker(options: LandmarkPosesCommand.options(arguments, base))
      return .vision(task, { try task.poses(in: $0) }) { input, poses in
        let masks = poses.enumerated().compactMap { index, pose in
          pose.segmentationMask.map { StudioMask($0, label: "pose \(index + 1)") }
        }
        return StudioResult(PosesResult(input: input, poses: poses), masks: masks)
      }
    },
    StudioTask(
      id: "landmark-holistic", title: "Holistic landmarks",
      summary: "The body, the face, and both hands of one person.",
      declaration: LandmarkHolisticCommand.declaration, published: .landmarkHolistic,
      controls: [
        .confidence("min-face-detection-confidence", "Minimum face detection confidence", "minFaceDetectionConfidence"),
        .confidence("min-face-presence-confidence", "Minimum face presence confidence", "minFacePresenceConfidence"),
        .confidence("min-pose-detection-confidence", "Minimum pose detection confidence", "minPoseDetectionConfidence"),
        .confidence("min-pose-presence-confidence", "Minimum pose presence confidence", "minPosePresenceConfidence"),
        .confidence("min-hand-landmarks-confidence", "Minimum hand landmarks confidence", "minHandLandmarksConfidence"),
        .flag("blendshapes", "Blendshapes", .output("blendshapes")),
        .flag("masks", "Segmentation mask", .output("segmentationMask")),
      ],
      code: .vision(
        "HolisticLandmarker", call: "person(in: $)",
        whole: "if let person = result { print(person.pose.landmarks, person.face as Any) }"),
      edges: [
        "pose": PoseLandmarks.connections, "hand": HandLandmarks.connections,
        "face-mesh": FaceLandmarks.tesselation, "face-contours": FaceLandmarks.contours,
      ]
    ) { arguments, base in
      let task = try HolisticLandmarker(options: LandmarkHolisticCommand.options(arguments, base))
      return .vision(task, { try task.person(in: $0) }) { input, person in
        let mask = person?.pose.segmentationMask.map { StudioMask($0, label: "person") }
        return StudioResult(HolisticResult(input: input, person: person), masks: mask.map { [$0] } ?? [])
      }
    },
  ]

  static let other: [StudioTask] = [
    StudioTask(
      id: "classify-audio", title: "Audio classification", group: "Audio",
      summary: "What can be heard in each window of a recording.", input: .sound, isLive: false,
      declaration: ClassifyAudioCommand.declaration, bundled: Bundled(.audioClassifier),
      controls: StudioControl.categories, code: .sound
    ) { arguments, base in
      let categories = try CategoryArguments(arguments)
      let task = try AudioClassifier(options: ClassifyAudioCommand.options(categories, base))
      return StudioRunnable {
        guard case .sound(let clip) = $0 else { throw UsageError("the task takes a recording") }
        let windows = try task.classification(of: clip).windows
        return StudioResult(
          AudioClassificationsResult(
            path: "sound", windows: windows.map { .success($0) }, shownCount: categories.maxResults ?? 3))
      }
    },
    StudioTask(
      id: "classify-text", title: "Text classification", group: "Text", summary: "The categories of a text.",
      input: .text, isLive: false, declaration: ClassifyTextCommand.declaration, bundled: Bundled(.textClassifier),
      controls: StudioControl.categories,
      code: .text("TextClassifier", "classification(of: $)", "print(result.categories)")
    ) { arguments, base in
      let categories = try CategoryArguments(arguments)
      let task = try TextClassifier(options: ClassifyTextCommand.options(categories, base))
      return .text { text in
        let found = try task.classification(of: text)
        return TextResult(
          subject: text, members: ["classifications": found.json],
          lines: found.text(shownCount: categories.maxResults ?? 5))
      }
    },
    StudioTask(
      id: "embed-text", title: "Text similarity", group: "Text",
      summary: "How similar two texts are, by their embeddings.", input: .textPair, isLive: false,
      declaration: EmbedTextCommand.declaration, controls: StudioControl.embedding, code: .textPair
    ) { arguments, base in
      let task = try TextEmbedder(options: EmbedTextCommand.options(arguments, base))
      return .similarity {
        guard case .texts(let first, let second) = $0 else { throw UsageError("the task takes two texts") }
        return (try task.embedding(of: first), try task.embedding(of: second))
      }
    },
    StudioTask(
      id: "detect-language", title: "Language detection", group: "Text", summary: "The languages of a text.",
      input: .text, isLive: false, declaration: DetectLanguageCommand.declaration, controls: StudioControl.categories,
      code: .text("LanguageDetector", "languages(of: $)", "print(result)")
    ) { arguments, base in
      let categories = try CategoryArguments(arguments)
      let task = try LanguageDetector(options: DetectLanguageCommand.options(categories, base))
      return .text { text in
        DetectLanguageCommand.result(text, try task.languages(of: text), shownCount: categories.maxResults ?? 5)
      }
    },
  ]
}

extension StudioRunnable {
  /// Creates the runnable of a text task.
  fileprivate static func text(_ result: @escaping @Sendable (String) throws -> TextResult) -> StudioRunnable {
    StudioRunnable {
      guard case .text(let text) = $0 else { throw UsageError("the task takes a text") }
      return StudioResult(try result(text))
    }
  }
}

import SwiftletImage
@_spi(Facades) import SwiftletVision

/// A measured vision task: alone, compared with MediaPipe, and for thousands of frames. Each is a row of ``all``.
struct MeasuredTask: Sendable {
  /// The name of the task, here and in requests to the peer.
  let name: String
  /// The models in the test data: in `models`, or in `tasks/models` for bundles.
  let models: [String]
  /// The images in `images` of the test data.
  let imageFiles: [String]
  /// Whether consecutive frames are processed differently from single images.
  var tracks = false
  /// Creates the task in all its running modes.
  let make: @Sendable (BaseOptions) throws -> MeasuredForms

  /// The minimum score of reported objects.
  static let scoreThreshold: Float = 0.3
  /// The maximum number of reported categories.
  static let maxResults = 5

  static let all: [MeasuredTask] = [
    faces, objects, categoryMask, confidenceMasks, embedding, classification, hands, gestures, faceLandmarks,
    faceBlendshapes, poses, poseMasks, holistic,
  ]
}

extension MeasuredTask {
  private static let segmenters = [
    "segmentation/deeplabv3_257_metadata.tflite", "segmentation/selfie_segmentation_256_metadata.tflite",
  ]
  private static let segmented = ["segmentation_input_rotation0.jpg", "cats_and_dogs.jpg"]

  private static let faces = MeasuredTask(
    name: "faces",
    models: ["face/face_detector_short_range_metadata.tflite", "face/face_detection_full_range_metadata.tflite"],
    imageFiles: ["face.jpg", "coupleanddog.jpeg"]
  ) { base in MeasuredForms(try FaceDetector(options: FaceDetectorOptions(baseOptions: base))) { try $0.faces(in: $1) }
  }

  private static let objects = MeasuredTask(
    name: "objects",
    models: ["detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "detection/salad_automl_320.tflite"],
    imageFiles: ["cats_and_dogs.jpg", "multi_objects.jpg"]
  ) { base in
    MeasuredForms(
      try ObjectDetector(
        options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: scoreThreshold))
    ) { try $0.objects(in: $1) }
  }

  private static let categoryMask = MeasuredTask(name: "category-mask", models: segmenters, imageFiles: segmented) {
    base in
    MeasuredForms(
      try ImageSegmenter(
        options: ImageSegmenterOptions(
          baseOptions: base, outputs: .categoryMask))
    ) { try $0.segmentation(of: $1) }
  }

  private static let confidenceMasks = MeasuredTask(
    name: "confidence-masks", models: segmenters, imageFiles: segmented
  ) { base in
    MeasuredForms(try ImageSegmenter(options: ImageSegmenterOptions(baseOptions: base))) { try $0.segmentation(of: $1) }
  }

  private static let embedding = MeasuredTask(
    name: "embedding",
    models: [
      "embedding/mobilenet_v2_035_96_embedder.tflite",
      "embedding/mobilenet_v1_1.0_224_quant_embedding_extractor.tflite",
    ],
    imageFiles: ["burger.jpg", "cats_and_dogs.jpg"]
  ) { base in
    MeasuredForms(try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base))) { try $0.embedding(of: $1) }
  }

  private static let classification = MeasuredTask(
    name: "classification",
    models: ["classification/mobilenet_v1_0.25_224_float.tflite", "classification/mobilenet_v1_0.25_224_quant.tflite"],
    imageFiles: ["burger.jpg", "multi_objects.jpg"]
  ) { base in
    MeasuredForms(
      try ImageClassifier(
        options: ImageClassifierOptions(baseOptions: base, maxResults: maxResults))
    ) { try $0.classification(of: $1) }
  }

  private static let faceLandmarks = MeasuredTask(
    name: "face-landmarks", models: ["face_landmarker.task"], imageFiles: ["grace_hopper.jpg", "face.jpg"], tracks: true
  ) { base in
    MeasuredForms(try FaceLandmarker(options: FaceLandmarkerOptions(baseOptions: base))) { try $0.faces(in: $1) }
  }

  private static let faceBlendshapes = MeasuredTask(
    name: "face-blendshapes", models: ["face_landmarker.task"], imageFiles: ["grace_hopper.jpg"], tracks: true
  ) { base in
    MeasuredForms(
      try FaceLandmarker(
        options: FaceLandmarkerOptions(
          baseOptions: base, outputs: [.blendshapes, .transformationMatrices]))
    ) { try $0.faces(in: $1) }
  }
}

/// The three running modes of a vision task, which discard its outputs.
struct MeasuredForms {
  /// A live session.
  struct Live {
    let send: (InputImage, Duration) throws -> Void
    let droppedFrameCount: () -> Int
  }

  let image: (InputImage) throws -> Void
  /// Opens a video session.
  let video: () -> (InputImage, Duration) throws -> Void
  /// Opens a live session, whose handler receives the timestamp of a frame, and its error if it failed.
  let live: (_ onResult: @escaping @Sendable (Duration, TaskError?) -> Void) -> Live

  init<Task: VisionTask>(_ task: Task, _ image: @escaping (Task, InputImage) throws -> Task.Output) {
    self.image = { _ = try image(task, $0) }
    video = {
      let session = task.video()
      return { _ = try session.output(for: $0, at: $1) }
    }
    live = { handler in
      let session = task.live { frame in
        switch frame.result {
        case .success: handler(frame.time, nil)
        case .failure(let error): handler(frame.time, error)
        }
      }
      return Live(send: { try session.send($0, at: $1) }, droppedFrameCount: { session.droppedFrameCount })
    }
  }
}
